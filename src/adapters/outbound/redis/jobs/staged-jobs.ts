import { randomUUID } from 'node:crypto';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { luaScript } from '../lua/load.ts';

const stageJobsScript = luaScript('stage-jobs');

/** The most jobs that one run stages: a few milliseconds of the store's time. */
const STAGED_PER_RUN = 500;

/** The most keys that one command removes. */
const REMOVED_AT_ONCE = 1000;

/** How long jobs stay staged if they are not added, in milliseconds. */
const STAGED_FOR = 60_000;

/**
 * The hashes of the jobs of a large add or flow, under keys that no client reads. The store does nothing else while it
 * runs a script, so several runs store them, and the run that adds the jobs only gives the hashes their names. What an
 * interruption leaves expires soon.
 */
export class StagedJobs {
  /** What stands before the number of a job, which begins with 1, in its key. */
  readonly name: string;
  readonly #commands: StoreCommands;
  readonly #count: number;

  /** @param jobPrefix that of a queue of the jobs, for the slot of its keys. */
  constructor(commands: StoreCommands, jobPrefix: string, count: number) {
    this.#commands = commands;
    this.#count = count;
    this.name = `${jobPrefix}jobgate:staged-${randomUUID()}-`;
  }

  /**
   * @param hashOf the fields and values of the job at a position.
   * @throws DomainError `store-unavailable`.
   */
  async store(hashOf: (position: number) => readonly ScriptArgument[]): Promise<void> {
    for (let first = 0; first < this.#count; first += STAGED_PER_RUN) {
      const args: ScriptArgument[] = [first + 1, STAGED_FOR];
      const next = Math.min(first + STAGED_PER_RUN, this.#count);
      for (let position = first; position < next; position += 1) {
        const hash = hashOf(position);
        args.push(hash.length, ...hash);
      }
      await this.#commands.scripts.run(stageJobsScript, [this.name], args);
    }
  }

  /** Best effort, and not awaited: if the store is down, the staged jobs expire by themselves. */
  discard(): void {
    const keys = Array.from({ length: this.#count }, (_, index) => this.name + String(index + 1));
    for (const some of piecesOf(keys, REMOVED_AT_ONCE)) {
      this.#commands.client.unlink(...some).catch(() => undefined);
    }
  }
}
