import type { LetterRedriveInput } from 'jobgate-client';
import type { Declaration } from '../command.ts';
import { durationOf } from '../input/durations.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { FILTERS } from './filters.ts';
import { checkSelected, repairInCalls, selectedBy } from './repair.ts';

/** @throws UsageError for a rate that is not such as 10/1s. */
function rateOf(call: Invocation): LetterRedriveInput['rate'] {
  const text = call.text('rate');
  if (text === undefined) return undefined;
  const [, max, duration] = /^(\d{1,15})\/(.+)$/.exec(text) ?? [];
  if (max === undefined || duration === undefined) {
    throw new UsageError('--rate must be a number of jobs and a duration such as 10/1s');
  }
  return { max: Number(max), duration: durationOf('--rate', duration) };
}

async function redrive(call: Invocation): Promise<void> {
  checkSelected(call, 'redrive', false);
  const order = {
    ...selectedBy(call, call.text('cause')),
    to: call.text('target'),
    rate: rateOf(call),
  };
  const queue = call.jobgate.queue(call.queue);
  await repairInCalls(call, (bounds) => queue.redrive({ ...order, ...bounds }), 'Brought back');
}

export const redriveCommand: Declaration = {
  usage: 'redrive <queue>',
  summary: 'bring letters of a dead letter queue back',
  details:
    'Each goes to the queue that it came from, with the options that it had there. --reason, --cause, --http-status and ' +
    '--group are those of the job that failed.',
  examples: [
    'redrive dead-mail --all --dry-run',
    'redrive dead-mail --reason timeout --rate 10/1s',
  ],
  options: {
    ...FILTERS,
    'cause <text>': 'jobs that failed for this cause',
    all: 'all letters',
    'target <queue>': 'the queue that gets them, in place of their own',
    'rate <n/duration>': 'maximum number of jobs in a time, such as 10/1s',
    'limit <n>': 'maximum number of jobs (all)',
    'dry-run': 'only count the matching jobs',
  },
  run: redrive,
};
