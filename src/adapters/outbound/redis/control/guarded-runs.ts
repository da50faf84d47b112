import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { ArgumentsOf } from '../lua/script.ts';
import type { GuardedScript, Kinds } from '../scripts/script.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import { actionOutcome } from './action-outcome.ts';
import { TOO_DEEP } from '../lua/answers.ts';
import { REACH } from '../lua/reaches.ts';
import { WaitingJobs } from './waiting-jobs.ts';

/** Runs guarded scripts. A job deep in a long list is first moved to where the script finds it at once. */
export class GuardedRuns {
  readonly #store: StoreCommands;
  readonly #waiting: WaitingJobs;

  constructor(store: StoreCommands) {
    this.#store = store;
    this.#waiting = new WaitingJobs(store);
  }

  /** Moves the jobs that wait in a long list together, so that one search finds them all. */
  bringTogether(queue: QueueName, jobIds: readonly string[]): Promise<void> {
    return this.#waiting.bringTogether(queue, jobIds);
  }

  /** @returns what the script or its guard answered. */
  async run<Args extends Kinds>(
    queue: QueueName,
    script: GuardedScript<Args>,
    jobId: string,
    allowed: readonly JobState[],
    args: ArgumentsOf<Args>,
  ): Promise<unknown> {
    const states = `,${allowed.join(',')},`;
    const run = (reach: number): Promise<unknown> =>
      this.#store.callOf(queue, script, { id: jobId, allowed: states, reach, ...args });
    const answer = await run(REACH);
    if (answer !== TOO_DEEP) return answer;
    await this.#waiting.bringTogether(queue, [jobId]);
    const next = await run(REACH);
    if (next !== TOO_DEEP) return next;
    // The job was moved while it was looked for, or is in no list at all.
    return run(Number.MAX_SAFE_INTEGER);
  }

  /** Runs it. @returns what it did. */
  async outcome<Args extends Kinds>(
    ...run: Parameters<typeof this.run<Args>>
  ): Promise<ActionOutcome> {
    return actionOutcome(await this.run(...run));
  }
}
