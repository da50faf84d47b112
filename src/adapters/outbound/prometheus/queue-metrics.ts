import { CALL_OUTCOMES, JOB_EVENTS } from './queue-account.ts';
import type { QueueAccounts } from './queue-accounts.ts';
import type { Metric } from './metric.ts';

/** The metrics of the accounts of queues, by queue. */
export function queueMetrics(accounts: QueueAccounts): readonly Metric[] {
  const counters = JOB_EVENTS.map(([event, help]): Metric => ({
    name: `jobgate_jobs_${event}_total`,
    help,
    type: 'counter',
    samples: () =>
      accounts.labelled().map(([queue, account]) => {
        return { labels: { queue }, value: account.counted(event) };
      }),
  }));
  const steps: Metric = {
    name: 'jobgate_steps_saved_total',
    help: 'Steps of jobs that were saved here',
    type: 'counter',
    samples: () =>
      accounts.labelled().map(([queue, { stepsSaved }]) => {
        return { labels: { queue }, value: stepsSaved };
      }),
  };
  return [...counters, steps, callSeconds(accounts), waitSeconds(accounts)];
}

function callSeconds(accounts: QueueAccounts): Metric {
  const name = 'jobgate_call_seconds';
  return {
    name,
    help: 'How long calls to endpoints take, by what they came to: completed, failed, deferred or cancelled',
    type: 'histogram',
    samples: () =>
      accounts.labelled().flatMap(([queue, account]) =>
        CALL_OUTCOMES.flatMap((outcome) => {
          return account.calls(outcome)?.samples(name, { queue, outcome }) ?? [];
        }),
      ),
  };
}

function waitSeconds(accounts: QueueAccounts): Metric {
  const name = 'jobgate_wait_seconds';
  return {
    name,
    help: 'From when a job could start, its delay over, to the start of its first attempt',
    type: 'histogram',
    samples: () =>
      accounts.labelled().flatMap(([queue, account]) => {
        return account.waits?.samples(name, { queue }) ?? [];
      }),
  };
}
