import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { TOO_DEEP } from '../lua/answers.ts';
import { REACH } from '../lua/reaches.ts';
import type { Script } from '../lua/script.ts';
import { WaitingJobs } from './waiting-jobs.ts';

/** A run of a script that acts on a job only in certain states, with its arguments after those of its guard. */
export interface GuardedRun {
  readonly script: Script;
  readonly jobId: string;
  readonly allowed: readonly JobState[];
  readonly args: readonly ScriptArgument[];
}

/** Runs guarded scripts. A job deep in a long list is first moved to where the script finds it at once. */
export class GuardedRuns {
  readonly #commands: StoreCommands;
  readonly #waiting: WaitingJobs;

  constructor(commands: StoreCommands) {
    this.#commands = commands;
    this.#waiting = new WaitingJobs(commands);
  }

  /** Moves the jobs that wait in a long list together, so that one search finds them all. */
  bringTogether(keys: QueueKeys, jobIds: readonly string[]): Promise<void> {
    return this.#waiting.bringTogether(keys, jobIds);
  }

  /** @returns what the script or its guard answered. */
  async run(keys: QueueKeys, run: GuardedRun): Promise<unknown> {
    const answer = await this.#run(keys, run, REACH);
    if (answer !== TOO_DEEP) return answer;
    await this.#waiting.bringTogether(keys, [run.jobId]);
    const next = await this.#run(keys, run, REACH);
    if (next !== TOO_DEEP) return next;
    // The job was moved while it was looked for, or is in no list at all.
    return this.#run(keys, run, Number.MAX_SAFE_INTEGER);
  }

  #run(
    { jobPrefix }: QueueKeys,
    { script, jobId, allowed, args }: GuardedRun,
    reach: number,
  ): Promise<unknown> {
    const states = `,${allowed.join(',')},`;
    return this.#commands.scripts.run(
      script,
      [jobPrefix + jobId],
      [jobPrefix, jobId, states, reach, ...args],
    );
  }
}
