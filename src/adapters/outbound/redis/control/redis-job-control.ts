import type { ClockPort } from '../../../../application/ports/clock-port.ts';
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
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { changeRun, changeScripts, type ChangeScripts } from './change-scripts.ts';
import { changedOptions } from './changed-options.ts';
import { controlScripts, type ControlScripts } from './control-scripts.ts';
import { FamilyRemoving } from './family-removing.ts';
import { TOO_MANY } from './family-scripts.ts';
import { GuardedRuns } from './guarded-runs.ts';
import { JobCancelling } from './job-cancelling.ts';
import { actionOutcome } from './state-guard.ts';

/** How the job goes back, the field that its ending set, and its state. */
const FOUND_BY_SCRIPT = ['', '', ''];

/** The answer of the library when it does not remove a job. */
const NOT_REMOVED: ReadonlyMap<unknown, ActionOutcome> = new Map([
  [0, { kind: 'needed', by: 'attempt' }],
  [-8, { kind: 'needed', by: 'scheduler' }],
]);

/** The operations on single jobs, by BullMQ's own scripts, so that its clients find what they expect. */
export class RedisJobControl implements JobControlPort {
  readonly #runs: GuardedRuns;
  readonly #keys: QueueKeysCache;
  readonly #clock: ClockPort;
  readonly #scripts: ControlScripts;
  readonly #changeScripts: ChangeScripts;
  readonly #families: FamilyRemoving;
  readonly #cancelling: JobCancelling;

  /** @throws Error when the installed BullMQ is not the version that the scripts were tested with. */
  constructor(commands: StoreCommands, keys: QueueKeysCache, nextJobs: NextJobs, clock: ClockPort) {
    this.#runs = new GuardedRuns(commands);
    this.#keys = keys;
    this.#clock = clock;
    this.#scripts = controlScripts();
    this.#changeScripts = changeScripts();
    this.#families = new FamilyRemoving(commands, this.#runs, keys, clock);
    this.#cancelling = new JobCancelling(this.#runs, nextJobs, clock);
  }

  bringTogether(queue: QueueName, jobIds: readonly string[]): Promise<void> {
    return this.#runs.bringTogether(this.#keys.get(queue), jobIds);
  }

  async remove(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    const answer = await this.#remove(queue, jobId, '1', statesFor('remove'));
    if (answer !== TOO_MANY) return removal(answer);
    return this.#families.remove({ queue, id: jobId }, (job) =>
      this.removeAlone(job.queue, job.id),
    );
  }

  async removeAlone(
    queue: QueueName,
    jobId: string,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return removal(await this.#remove(queue, jobId, '0', statesWithin('remove', within)));
  }

  async promote(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    const keys = this.#keys.get(queue);
    const answer = await this.#run(
      this.#scripts.promote,
      statesFor('promote'),
      keys,
      jobId,
      [
        keys.delayed,
        keys.wait,
        keys.paused,
        keys.meta,
        keys.prioritized,
        keys.active,
        keys.priorityCounter,
        keys.events,
        keys.marker,
      ],
      [keys.jobPrefix, jobId],
    );
    return actionOutcome(answer);
  }

  async retry(
    queue: QueueName,
    jobId: string,
    { opts, data }: JobRetry,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    const keys = this.#keys.get(queue);
    const newData = data === undefined ? '' : jsonText(data);
    const [resetAttemptsMade, keepAttemptsStarted] = ['1', '0'];
    let known = '';
    for (;;) {
      const newOptions = opts === undefined ? '' : changedOptions(known, opts);
      const answer = await this.#run(
        this.#scripts.retry,
        statesWithin('retry', within),
        keys,
        jobId,
        [
          keys.jobPrefix + jobId,
          keys.events,
          keys.failed,
          keys.wait,
          keys.meta,
          keys.active,
          keys.marker,
          keys.prioritized,
          keys.priorityCounter,
          keys.completed,
        ],
        [
          jobId,
          ...FOUND_BY_SCRIPT,
          resetAttemptsMade,
          keepAttemptsStarted,
          newData,
          known,
          newOptions,
          opts?.priority ?? '',
        ],
      );
      if (!Array.isArray(answer)) return actionOutcome(answer);
      known = answer[0] as string;
    }
  }

  async cancel(
    queue: QueueName,
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    const allowed = statesWithin('cancel', within);
    const keys = this.#keys.get(queue);
    return actionOutcome(await this.#cancelling.cancel(keys, jobId, cancellation, allowed));
  }

  async change(queue: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome> {
    const keys = this.#keys.get(queue);
    const run = changeRun(this.#changeScripts, keys, jobId, change, this.#clock.now());
    const allowed = statesFor(...actionsOf(change));
    return actionOutcome(await this.#run(run.script, allowed, keys, jobId, run.keys, run.args));
  }

  #remove(
    queue: QueueName,
    jobId: string,
    withChildren: '0' | '1',
    allowed: readonly JobState[],
  ): Promise<unknown> {
    const keys = this.#keys.get(queue);
    return this.#run(
      this.#scripts.remove,
      allowed,
      keys,
      jobId,
      [keys.jobPrefix + jobId, keys.repeat],
      [jobId, withChildren, keys.jobPrefix],
    );
  }

  #run(
    script: Script,
    allowed: readonly JobState[],
    keys: QueueKeys,
    jobId: string,
    scriptKeys: readonly string[],
    scriptArguments: readonly ScriptArgument[],
  ): Promise<unknown> {
    const run = { script, jobId, allowed, keys: scriptKeys, args: scriptArguments };
    return this.#runs.run(keys, run);
  }
}

function removal(answer: unknown): ActionOutcome {
  return NOT_REMOVED.get(answer) ?? actionOutcome(answer);
}
