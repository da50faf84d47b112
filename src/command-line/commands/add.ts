import type { JobInput, JobOptionsInput } from 'jobgate-client';
import type { Command } from '../command.ts';
import { durationOf } from '../input/durations.ts';
import { UsageError } from '../input/usage-error.ts';
import { jsonOf, objectOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { showResult } from './wait.ts';

function optsOf(call: Invocation): JobOptionsInput {
  const opts = call.text('opts');
  const given = {
    jobId: call.text('id'),
    delay: call.duration('delay'),
    priority: call.number('priority'),
    attempts: call.number('attempts'),
    timeout: call.duration('timeout'),
    ttl: call.duration('ttl'),
    group: call.has('group') ? { id: call.text('group') } : undefined,
  };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...(opts === undefined ? {} : objectOf('--opts', opts)), ...Object.fromEntries(known) };
}

function jobsOf(call: Invocation): readonly JobInput[] {
  const [, name, data] = call.names;
  const given = call.text('jobs');
  if ((name === undefined) === (given === undefined)) {
    throw new UsageError('Give the name of the job and its data, or --jobs');
  }
  if (given !== undefined) {
    const jobs = jsonOf('--jobs', given);
    return (Array.isArray(jobs) ? jobs : [jobs]) as JobInput[];
  }
  const value = data === undefined ? null : jsonOf('The data', data);
  return [{ name: name ?? '', data: value, opts: optsOf(call) }];
}

export const addCommand: Command = {
  name: 'add',
  takes: '<queue> [name] [data]',
  count: [1, 3],
  summary: 'add a job, or many',
  details:
    'The data is JSON, @file for what is in a file, or - for standard input; without it the data is null.',
  examples: [
    `add mail send '{"to": "ada@example.com"}'`,
    'add mail send @letter.json --delay 5m --attempts 3 --wait 1m',
    'add mail --jobs @jobs.json',
  ],
  options: {
    id: { value: 'id', meaning: 'the id of the job' },
    delay: { value: 'duration', meaning: 'it starts so much later' },
    priority: { value: 'n', meaning: 'smaller ones start earlier' },
    attempts: { value: 'n', meaning: 'most attempts' },
    timeout: { value: 'duration', meaning: 'most time of an attempt' },
    ttl: { value: 'duration', meaning: 'it fails unless it has started by then' },
    group: { value: 'id', meaning: 'the group that it takes its turn with' },
    opts: { value: 'json', meaning: 'any options, as the API spells them' },
    jobs: { value: 'json', meaning: 'an array of jobs with name, data, opts; @file, or -' },
    wait: { value: 'duration', meaning: 'wait so long for the end, and print the result' },
    key: { value: 'text', meaning: 'an idempotency key: the same one adds once' },
  },
  run: async (call) => {
    const wait = call.text('wait');
    const timeout = wait === undefined ? undefined : durationOf('--wait', wait);
    const key = call.text('key');
    const queue = call.jobgate.queue(call.queue);
    const given = jobsOf(call);
    if (timeout !== undefined && given.length > 1) {
      throw new UsageError('--wait is for a single job');
    }
    const jobs = await queue.addAll(given, key === undefined ? {} : { idempotencyKey: key });
    if (timeout === undefined) {
      call.answer(jobs, (added) => added.map(({ id }) => id).join('\n'));
      return;
    }
    const [{ id } = { id: '' }] = jobs;
    showResult(call, id, await queue.result(id, { timeout }));
  },
};
