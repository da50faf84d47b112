import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { GuardedScript } from '../scripts/script.ts';
import type { ArgumentsOf } from '../lua/script.ts';
import type { Kinds } from '../scripts/script.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
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
  bringTogether(keys: QueueKeys, jobIds: readonly string[]): Promise<void> {
    return this.#waiting.bringTogether(keys, jobIds);
  }

  /** @returns what the script or its guard answered. */
  async run<Args extends Kinds>(
    keys: QueueKeys,
    script: GuardedScript<Args>,
    jobId: string,
    allowed: readonly JobState[],
    args: ArgumentsOf<Args>,
  ): Promise<unknown> {
    const states = `,${allowed.join(',')},`;
    const run = (reach: number): Promise<unknown> =>
      this.#store.call(script, keys, { id: jobId, allowed: states, reach, ...args });
    const answer = await run(REACH);
    if (answer !== TOO_DEEP) return answer;
    await this.#waiting.bringTogether(keys, [jobId]);
    const next = await run(REACH);
    if (next !== TOO_DEEP) return next;
    // The job was moved while it was looked for, or is in no list at all.
    return run(Number.MAX_SAFE_INTEGER);
  }
}
