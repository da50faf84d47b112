import type { JobSteps } from 'jobgate-client';
import { asking } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { jobCount } from '../output/fields.ts';
import { escapedJson } from '../output/escaped-json.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';

const columns: readonly Column<JobSteps['steps'][number]>[] = [
  { head: 'STEP', cell: ({ name }) => name },
  { head: 'KIND', cell: ({ kind }) => kind },
  { head: 'SAVED', cell: ({ at }) => moment(at) },
  { head: 'BYTES', cell: ({ size }) => size },
  {
    head: 'VALUE',
    // A token without the right `data` gets no values.
    cell: ({ value }) => (value === undefined ? '' : escapedJson(value, 'one line')),
    isOptional: true,
    isCut: true,
  },
];

export const stepCommands: readonly Declaration[] = [
  asking<JobSteps>({
    usage: 'steps <queue> <job>',
    summary: 'list the saved steps of a job and their values',
    isWatchable: true,
    sends: 'GET /queues/<queue>/jobs/<job>/steps',
    shows: ({ steps }, call) => call.table(columns, steps, 'No steps yet'),
  }),
  {
    usage: 'signal <queue> <key>',
    summary: 'wake the jobs of a queue that wait for a signal',
    examples: ['signal orders paid:17', `signal orders paid:17 --body '{"by": "card"}' --keep 7d`],
    options: {
      'body <json>': 'what the jobs get as the value of their step; JSON, @file or - (true)',
      'keep <duration>': 'time during which jobs that wait for it later get it too (0)',
    },
    run: async (call) => {
      const queue = call.jobgate.queue(call.queue);
      const keep = call.duration('keep');
      const answer = await queue.signal(call.name(1), call.json('body'), { keep });
      call.answer(answer, ({ woken }) => `Woke ${jobCount(woken)} of ${call.queue}`);
    },
  },
];
