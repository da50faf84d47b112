import { ApiError, pathOf } from './api-client.ts';
import type { Command } from './command.ts';
import { EventReader, type ReceivedEvent } from './event-reader.ts';
import { time } from './table.ts';

/** The width of the longest event name. */
const NAME_WIDTH = 9;

/** Formats an event, with its queue where there may be several. */
function lineOf(queue: 'with queue' | 'without queue'): (event: ReceivedEvent) => string {
  return ({ event, data }) => {
    const { timestamp, queue: name, jobId = '', ...details } = data;
    const words = Object.entries(details).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    const of = queue === 'with queue' ? [name] : [];
    const parts = [time(timestamp as number), event.padEnd(NAME_WIDTH), ...of, jobId, ...words];
    return parts.join('  ').trimEnd();
  };
}

export const tailCommand: Command = {
  name: 'tail',
  takes: '[queue]',
  count: [0, 1],
  summary: 'show the events of a queue as they happen',
  details:
    'Without a queue it shows the events of all queues, with a pattern such as mail-* those of matching queues. ' +
    'It reconnects after a lost connection, and misses no event that is kept. Ctrl-C ends it.',
  options: { events: { value: 'names', meaning: 'which events, such as completed,failed' } },
  run: async (call) => {
    const { api, terminal, queue } = call;
    const end = new AbortController();
    const stop = (): void => {
      end.abort();
    };
    process.once('SIGINT', stop);
    // The reader of the output has left.
    process.stdout.once('error', stop);
    const isOne = queue !== '' && !queue.includes('*');
    const path = isOne ? pathOf('queues', queue, 'events') : pathOf('events');
    const queues = isOne || queue === '' ? undefined : queue;
    const query = { queues, events: call.text('events') };
    const line = lineOf(isOne ? 'without queue' : 'with queue');
    const events = new EventReader(
      (lastEventId, signal) => api.open(path, query, { 'Last-Event-ID': lastEventId }, signal),
      (error) => error instanceof ApiError && error.isTemporary,
      () => {
        terminal.report('The connection is lost, trying again');
      },
    );
    for await (const event of events.read(end.signal)) call.answer(event, line);
  },
};
