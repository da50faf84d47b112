import type { Job, JobChangeInput } from 'jobgate-client';
import type { Command } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { jsonOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';

/** @throws UsageError when the options change nothing. */
function changesOf(call: Invocation): JobChangeInput {
  const data = call.text('data');
  const all = {
    data: data === undefined ? undefined : jsonOf('--data', data),
    priority: call.number('priority'),
    delay: call.duration('delay'),
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new UsageError('Give at least one change: jobgate change -h');
  return Object.fromEntries(given);
}

export const changeCommand: Command = {
  name: 'change',
  takes: '<queue> <job>',
  count: [2, 2],
  summary: 'change the data, priority or delay of a job that has not started',
  examples: ['change mail 17 --delay 10m', `change mail 17 --data '{"to": "ada@example.com"}'`],
  options: {
    data: { value: 'json', meaning: 'new data; JSON, @file or -' },
    priority: { value: 'n', meaning: 'new priority; smaller numbers start first, 0 means none' },
    delay: { value: 'duration', meaning: 'new delay, counted from now' },
  },
  run: async (call) => {
    const path = `/queues/${encodeURIComponent(call.queue)}/jobs/${encodeURIComponent(call.name(1))}`;
    const job = await call.request<Job>('PATCH', path, { body: changesOf(call) });
    call.answer(job, ({ id }) => `Changed job ${id} of ${call.queue}`);
  },
};
