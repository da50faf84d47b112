import { randomUUID } from 'node:crypto';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { luaScript } from '../lua/load.ts';
import { addCall } from './add-call.ts';

const stageJobsScript = luaScript('stage-jobs');

/** The most jobs that one run of a script stores, and that are turned into arguments without a pause. */
export const MOST_JOBS_PER_RUN = 1000;

/** How long the jobs of a large batch are kept if it is not completed, in milliseconds. */
const STAGED_FOR = 60_000;

/**
 * The store does nothing else while it runs a script, so the jobs of a large batch are stored in several runs, under
 * keys that no client reads, and then moved to the queue in a single run. The remains of an incomplete batch expire
 * soon.
 */
export class StagedBatch {
  /** The key prefix of the numbers of its jobs. */
  readonly name: string;
  readonly #commands: StoreCommands;
  readonly #jobs: readonly NewJob[];

  constructor(commands: StoreCommands, { jobPrefix }: QueueKeys, jobs: readonly NewJob[]) {
    this.#commands = commands;
    this.#jobs = jobs;
    this.name = `${jobPrefix}jobgate:staged-${randomUUID()}-`;
  }

  /** @throws DomainError `store-unavailable`. */
  async store(timestamp: number): Promise<void> {
    for (let first = 0; first < this.#jobs.length; first += MOST_JOBS_PER_RUN) {
      const { args } = addCall(this.#jobs.slice(first, first + MOST_JOBS_PER_RUN));
      const stageArgs = [first, STAGED_FOR, timestamp, ...args];
      await this.#commands.scripts.run(stageJobsScript, [this.name], stageArgs);
    }
  }

  /** Best effort, and not awaited: if the store is down, the staged jobs expire by themselves. */
  discard(): void {
    const names = this.#jobs.map((_, number) => this.name + String(number));
    for (const some of piecesOf(names, MOST_JOBS_PER_RUN)) {
      this.#commands.client.unlink(...some).catch(() => undefined);
    }
  }
}
