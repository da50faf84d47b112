import type { JobInput, JobOptionsInput } from 'jobgate-client';
import type { Declaration } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { given, jsonOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { showResult } from './wait.ts';

function optsOf(call: Invocation): JobOptionsInput {
  const named = given({
    jobId: call.text('id'),
    delay: call.duration('delay'),
    priority: call.number('priority'),
    cost: call.number('cost'),
    attempts: call.number('attempts'),
    timeout: call.duration('timeout'),
    ttl: call.duration('ttl'),
    group: call.has('group') ? { id: call.text('group') } : undefined,
  });
  return { ...call.object('opts'), ...named };
}

/** What --jobs says for each job itself. */
const OF_ONE = [
  'data',
  'id',
  'delay',
  'priority',
  'attempts',
  'timeout',
  'ttl',
  'cost',
  'group',
  'opts',
];

function jobsOf(call: Invocation): readonly JobInput[] {
  const [, name, positional] = call.names;
  const data = call.text('data') ?? positional;
  if ((name === undefined) !== call.has('jobs')) {
    throw new UsageError('Give either the name of a job or --jobs');
  }
  call.refuseBeside('jobs', OF_ONE);
  if (positional !== undefined && call.has('data'))
    throw new UsageError('Give the data either as an argument or as --data');
  const jobs = call.json('jobs');
  if (jobs !== undefined) return (Array.isArray(jobs) ? jobs : [jobs]) as JobInput[];
  const value = data === undefined ? null : jsonOf(call.has('data') ? '--data' : 'The data', data);
  return [{ name: name ?? '', data: value, opts: optsOf(call) }];
}

export const addCommand: Declaration = {
  usage: 'add <queue> [name] [data]',
  summary: 'add one or more jobs',
  details:
    'The data is JSON, @file to read it from a file, or - to read it from standard input. The default is null.',
  examples: [
    `add mail send '{"to": "ada@example.com"}'`,
    'add mail send @letter.json --delay 5m --attempts 3 --wait 1m',
    'add mail --jobs @jobs.json',
  ],
  options: {
    'data <json>': 'data of the job, in place of the argument',
    'id <id>': 'id of the job',
    'delay <duration>': 'time to wait before the job may start',
    'priority <n>': 'priority; smaller numbers start first',
    'attempts <n>': 'maximum number of attempts',
    'timeout <duration>': 'maximum duration of an attempt',
    'ttl <duration>': 'time within which the job must start; it fails otherwise',
    'cost <n>': 'what its start counts in limiters',
    'group <id>': 'group of the job',
    'opts <json>': 'any job options, spelled as in the API',
    'jobs <json>': 'array of jobs with name, data and opts; JSON, @file or -',
    'wait <duration>': 'wait up to this long for the job to end, and print its result',
    'key <text>': 'idempotency key; repeating it adds nothing again',
  },
  run: async (call) => {
    const timeout = call.duration('wait');
    const key = call.text('key');
    const queue = call.jobgate.queue(call.queue);
    const inputs = jobsOf(call);
    if (timeout !== undefined && inputs.length > 1) {
      throw new UsageError('--wait works only with a single job');
    }
    const jobs = await queue.addAll(inputs, key === undefined ? {} : { idempotencyKey: key });
    if (timeout === undefined) {
      call.answer(jobs, (added) => added.map(({ id }) => id).join('\n'));
      return;
    }
    const [{ id } = { id: '' }] = jobs;
    showResult(call, id, await queue.result(id, { timeout }));
  },
};
