import { JobgateError, type JobgateEvent } from 'jobgate-client';
import { EVENT_NAMES } from '../../../src/domain/values/event-names.ts';
import type { Declaration } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { coloured, colourOf } from '../output/marks.ts';
import { time } from '../output/times.ts';
import { cut } from '../output/width.ts';
import { codeOf, noQueue } from '../service/refusal.ts';

/** The width of the longest event name. */
const NAME_WIDTH = 9;
/** Minimum width of the details on a narrow terminal. */
const DETAILS = 20;

/** Formats an event, with its queue if there may be several. */
function lineOf(call: Invocation, queue: 'with queue' | 'without queue') {
  return ({ event, data }: JobgateEvent): string => {
    const { timestamp, queue: name, jobId = '', ...details } = data as Record<string, unknown>;
    const words = Object.entries(details).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    const of = queue === 'with queue' ? [String(name)] : [];
    const when = typeof timestamp === 'number' ? time(timestamp) : '';
    const head = [when, event.padEnd(NAME_WIDTH), ...of, jobId].join('  ').trimEnd();
    const rest = cut(words.join('  '), Math.max(DETAILS, call.terminal.width - head.length - 2));
    return `${head.replace(event, coloured(event, colourOf(event)))}  ${rest}`.trimEnd();
  };
}

/** Reports when the connection is lost and restored. */
function reporting(call: Invocation): typeof fetch {
  let wasOpen = false;
  let isLost = false;
  return async (input, init) => {
    if (wasOpen && !isLost) {
      isLost = true;
      call.terminal.report('The connection is lost, trying again');
    }
    const response = await fetch(input, init);
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      wasOpen = true;
      if (isLost) call.terminal.report('The connection is back');
      isLost = false;
    }
    return response;
  };
}

/** Reports if the queue does not exist yet. @throws JobgateError when the service cannot be reached. */
async function announce(call: Invocation, isOne: boolean): Promise<void> {
  if (isOne) {
    try {
      await call.requireQueue();
    } catch (error) {
      if (!(error instanceof JobgateError) || codeOf(error) !== 'queue-not-found') throw error;
      call.terminal.report(`${await noQueue(call, call.queue)}\nWaiting for its first event`);
    }
    return;
  }
  const { total } = await call.jobgate.queues({ name: call.names[0], length: 1 });
  if (total === 0) call.terminal.report('No matching queues. Waiting for their first event');
}

export const tailCommand: Declaration = {
  usage: 'tail [queue]',
  summary: 'follow events as they happen, until Ctrl-C',
  details:
    'Follows one queue, the queues that match a pattern such as mail-*, or, without an argument, all queues. Reconnects after a lost connection, and misses no event that the service keeps.',
  examples: ['tail mail', "tail 'mail-*' --events completed,failed"],
  options: {
    'events <list>': {
      meaning: 'only these events, such as completed,failed',
      offered: EVENT_NAMES,
    },
    'job <id>': 'with a queue: only events of this job',
  },
  run: async (call) => {
    const { queue, service } = call;
    const isOne = queue !== '' && !queue.includes('*');
    const end = new AbortController();
    const stop = (): void => {
      end.abort();
    };
    process.once('SIGINT', stop);
    call.terminal.onceLeft(stop);
    service.through(reporting(call));
    await announce(call, isOne);
    const events = call.list('events');
    const job = call.text('job');
    const options = {
      ...(events && { events }),
      ...(job !== undefined && { job }),
      signal: end.signal,
    };
    const line = lineOf(call, isOne ? 'without queue' : 'with queue');
    const stream = isOne
      ? call.jobgate.queue(queue).events(options)
      : call.jobgate.events({ ...(queue !== '' && { queues: queue }), ...options });
    for await (const event of stream) call.answer(event, line);
  },
};
