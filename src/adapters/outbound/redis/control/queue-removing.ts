import type { QueueRemoval } from '../../../../application/ports/queue-control-port.ts';
import { onceChanged } from '../../../../application/running/once-changed.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { literally, mastersOf, scanKeys, START } from '../connection/key-scan.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { STAGED_NUMBERS } from '../layout/staging-keys.ts';
import { STEP_VALUES } from '../layout/step-keys.ts';
import { beginRemoval, endRemoval, removeKeys } from '../scripts/families.ts';
import { removeSchedulers } from '../scripts/adds.ts';
import { leaveAllLimits } from '../scripts/limits.ts';
import type { QueueDraining } from './queue-draining.ts';

/** How many job schedulers, or keys, one run of a script removes. */
const PER_RUN = 500;

/** Removes whole queues in pieces, so that no command holds the store for long. */
export class QueueRemoving {
  readonly #store: StoreCommands;
  readonly #draining: QueueDraining;

  constructor(store: StoreCommands, draining: QueueDraining) {
    this.#store = store;
    this.#draining = draining;
  }

  async remove(keys: QueueKeys, isForced: boolean): Promise<QueueRemoval> {
    const begun = await this.#store.call(beginRemoval, keys, { isForced });
    if (begun !== 'begun') return { kind: begun };
    return onceChanged(this.#removeBegun(keys, isForced));
  }

  async #removeBegun(keys: QueueKeys, isForced: boolean): Promise<QueueRemoval> {
    // Without its scheduler, the next job of a scheduler is removed like any other.
    const schedulers = await this.#inRuns(keys, removeSchedulers);
    // No job is active unless the removal is forced, except in a queue that another removal has freed.
    const jobs = await this.#draining.empty(keys, { active: isForced });
    await this.#inRuns(keys, leaveAllLimits);
    await this.#removeOwnKeys(keys);
    await this.#store.call(endRemoval, keys);
    return { kind: 'removed', jobs, schedulers };
  }

  /** Runs a script that removes some of many until none is left. @returns how many there were. */
  async #inRuns(keys: QueueKeys, script: typeof removeSchedulers): Promise<number> {
    let removed = 0;
    let last: number;
    do {
      last = await this.#store.call(script, keys, { most: PER_RUN });
      removed += last;
    } while (last === PER_RUN);
    return removed;
  }

  /** Removes the keys of deduplication and of the service, which no list names, and steps that native clients left. */
  async #removeOwnKeys(keys: QueueKeys): Promise<void> {
    const { jobPrefix } = keys;
    const deduplication = `${jobPrefix}de:`;
    const own = `${jobPrefix}jobgate:`;
    const stagedNumbers = jobPrefix + STAGED_NUMBERS;
    const isMeant = (key: string): boolean =>
      key.startsWith(deduplication) ||
      (key.startsWith(own) && key !== stagedNumbers) ||
      isOfSteps(key.slice(jobPrefix.length));
    for (const server of mastersOf(this.#store.client)) {
      let cursor = START;
      do {
        const pattern = `${literally(jobPrefix)}*`;
        const scanned = await this.#store.errors.run(() => scanKeys(server, pattern, cursor));
        const found = scanned.keys.filter(isMeant);
        for (const some of piecesOf(found, PER_RUN)) {
          await this.#store.call(removeKeys, keys, { deduplication }, some);
        }
        ({ cursor } = scanned);
      } while (cursor !== START);
    }
  }
}

/** An id has two colons or none, so the key of a job never ends like that. */
function isOfSteps(name: string): boolean {
  return name.endsWith(STEP_VALUES) && name.split(':').length % 2 === 0;
}
