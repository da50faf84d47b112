import { ApiError, pathOf } from './api-client.ts';
import type { Command } from './command.ts';
import { EventReader, type ToldEvent } from './event-reader.ts';
import { time } from './table.ts';

/** As wide as the longest name of an event. */
const NAME_WIDTH = 9;

/** Behind the name of an event, that of its queue, where they may be several. */
function lineOf(queue: 'with queue' | 'without queue'): (event: ToldEvent) => string {
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
  summary: 'show what happens in a queue, as it happens',
  details:
    'Without a queue it shows what happens in all, with a pattern such as mail-* in those of such a name. It comes ' +
    'back after a lost connection, and misses nothing that is kept. Ctrl-C ends it.',
  options: { events: { value: 'names', meaning: 'which events, such as completed,failed' } },
  run: async (call) => {
    const { api, terminal, queue } = call;
    const end = new AbortController();
    const stop = (): void => {
      end.abort();
    };
    process.once('SIGINT', stop);
    // Whoever reads what is printed has enough of it.
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
        terminal.tell('The connection is lost, trying again');
      },
    );
    for await (const event of events.read(end.signal)) call.answer(event, line);
  },
};
