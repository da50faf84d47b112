import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import type {
  JobCancellation,
  JobControlPort,
} from '../../../../application/ports/job-control-port.ts';
import {
  statesFor,
  statesWithin,
  type ActionOutcome,
} from '../../../../domain/jobs/job-actions.ts';
import { actionsOf, type JobChange } from '../../../../domain/jobs/job-change.ts';
import type { JobRetry } from '../../../../domain/jobs/job-retry.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { NextJobs } from '../schedulers/next-jobs.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { hooksArgument } from '../layout/hooks-argument.ts';
import { jobRecord } from '../layout/job-record.ts';
import { TOO_MANY_BELOW } from '../lua/answers.ts';
import { cancelJob, changeJob, promoteJob, retryJob } from '../scripts/attempts.ts';
import { removeActiveJob, removeJob } from '../scripts/families.ts';
import { UnsentMessages } from '../jobs/unsent-messages.ts';
import { actionOutcome } from './action-outcome.ts';
import { changedOptions } from './changed-options.ts';
import { FamilyRemoving } from './family-removing.ts';
import { GuardedRuns } from './guarded-runs.ts';

/** The next job of a scheduler, to be cancelled once the one after it is planned. */
type NextOfScheduler = readonly [scheduler: string, fields: readonly string[]];

/**
 * The operations on single jobs. They leave the same data as BullMQ's own, so that its clients find what they expect.
 */
export class RedisJobControl implements JobControlPort {
  readonly #runs: GuardedRuns;
  readonly #clock: ClockPort;
  readonly #families: FamilyRemoving;
  readonly #nextJobs: NextJobs;
  readonly #hooks: HooksOfQueues;
  readonly #unsent: UnsentMessages;

  constructor(store: StoreCommands, nextJobs: NextJobs, clock: ClockPort, hooks: HooksOfQueues) {
    this.#runs = new GuardedRuns(store);
    this.#clock = clock;
    this.#families = new FamilyRemoving(store, this.#runs, clock);
    this.#unsent = new UnsentMessages(store, clock, hooks);
    this.#nextJobs = nextJobs;
    this.#hooks = hooks;
  }

  bringTogether(queue: QueueName, jobIds: readonly string[]): Promise<void> {
    return this.#runs.bringTogether(queue, jobIds);
  }

  async remove(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    const answer = await this.#remove(queue, jobId, statesFor('remove'), true);
    if (answer !== TOO_MANY_BELOW) return actionOutcome(answer);
    return this.#families.remove({ queue, id: jobId }, (job) =>
      this.removeAlone(job.queue, job.id),
    );
  }

  async removeAlone(
    queue: QueueName,
    jobId: string,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return actionOutcome(await this.#remove(queue, jobId, statesWithin('remove', within), false));
  }

  removeActive(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    const args = { now: this.#clock.now() };
    return this.#runs.outcome(queue, removeActiveJob, jobId, statesFor('removeActive'), args);
  }

  promote(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#runs.outcome(queue, promoteJob, jobId, statesFor('promote'), {
      now: this.#clock.now(),
    });
  }

  async retry(
    queue: QueueName,
    jobId: string,
    { opts, data, steps = 'keep' }: JobRetry,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    const newData = data === undefined ? '' : jsonText(data);
    const allowed = statesWithin('retry', within);
    let known = '';
    for (;;) {
      const answer = await this.#runs.run(queue, retryJob, jobId, allowed, {
        data: newData,
        expected: known,
        changed: opts === undefined ? '' : changedOptions(known, opts),
        priority: opts?.priority ?? '',
        forgetsSteps: steps === 'forget',
      });
      if (!Array.isArray(answer)) {
        await this.#unsent.note(queue, [jobId]);
        return actionOutcome(answer);
      }
      known = answer[0] as string;
    }
  }

  async cancel(
    queue: QueueName,
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    const { reason, keep = { count: -1 } } = cancellation;
    const cancelled = (isNextPlanned: boolean): Promise<unknown> =>
      this.#runs.run(queue, cancelJob, jobId, statesWithin('cancel', within), {
        now: this.#clock.now(),
        reason,
        kept: JSON.stringify(keep),
        isNextPlanned,
        hooks: hooksArgument(this.#hooks.of(queue)),
      });
    const answer = await cancelled(false);
    if (!Array.isArray(answer)) return actionOutcome(answer);
    // Plans the job after it, as a claim does: otherwise its scheduler would end with it.
    const [scheduler, fields] = answer as unknown as NextOfScheduler;
    await this.#nextJobs.plan(queue, scheduler, jobId, jobRecord(fields));
    return actionOutcome(await cancelled(true));
  }

  async change(queue: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome> {
    const { data, priority, delay, cost } = change;
    const newData = data === undefined ? '' : jsonText(data);
    const allowed = statesFor(...actionsOf(change));
    let known = '';
    for (;;) {
      const answer = await this.#runs.run(queue, changeJob, jobId, allowed, {
        now: this.#clock.now(),
        data: newData,
        priority,
        delay,
        cost,
        expected: known,
        changed: cost === undefined ? '' : changedOptions(known, { cost }),
      });
      if (!Array.isArray(answer)) return actionOutcome(answer);
      known = answer[0] as string;
    }
  }

  #remove(
    queue: QueueName,
    jobId: string,
    allowed: readonly JobState[],
    withChildren: boolean,
  ): Promise<unknown> {
    const args = { withChildren, now: this.#clock.now() };
    return this.#runs.run(queue, removeJob, jobId, allowed, args);
  }
}
