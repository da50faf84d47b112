import { ApiError, pathOf } from './api-client.ts';
import type { Command } from './command.ts';
import { EventReader, type ToldEvent } from './event-reader.ts';
import { time } from './table.ts';

/** As wide as the longest name of an event. */
const NAME_WIDTH = 9;

function line({ event, data }: ToldEvent): string {
  const { timestamp, jobId = '', ...rest } = data;
  const details = Object.entries(rest).filter(([name]) => name !== 'queue');
  const words = details.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const parts = [time(timestamp as number), event.padEnd(NAME_WIDTH), jobId, ...words];
  return parts.join('  ').trimEnd();
}

export const tailCommand: Command = {
  name: 'tail',
  takes: '<queue>',
  count: [1, 1],
  summary: 'show what happens in a queue, as it happens',
  details:
    'It comes back after a lost connection, and misses nothing that is kept. Ctrl-C ends it.',
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
    const path = pathOf('queues', queue, 'events');
    const query = { events: call.text('events') };
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
