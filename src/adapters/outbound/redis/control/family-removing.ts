import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import { familyOf, inGroups, inQueues } from '../../../../application/flows/family.ts';
import { onceChanged } from '../../../../application/running/once-changed.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import { statesFor, type ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { FlowChildren } from '../flows/flow-children.ts';
import { parkJob } from '../scripts/families.ts';
import { findActive } from '../scripts/families.ts';
import type { GuardedRuns } from './guarded-runs.ts';

/** Removes a job alone. */
type RemoveAlone = (job: JobAddress) => Promise<ActionOutcome>;

/**
 * Removes jobs, with all jobs below them, in short steps. It first puts aside the jobs that would start when their
 * children go, then removes all, from the bottom up: if it is cut off, the first job still knows what is left.
 */
export class FamilyRemoving {
  readonly #store: StoreCommands;
  readonly #runs: GuardedRuns;
  readonly #clock: ClockPort;
  readonly #children: FlowChildren;

  constructor(store: StoreCommands, runs: GuardedRuns, clock: ClockPort) {
    this.#store = store;
    this.#runs = runs;
    this.#clock = clock;
    this.#children = new FlowChildren(store);
  }

  /** As `JobControlPort` has it. */
  async remove(root: JobAddress, removeAlone: RemoveAlone): Promise<ActionOutcome> {
    const childAddresses = ({ queue, id }: JobAddress): Promise<readonly JobAddress[]> =>
      this.#children.addresses(this.#store.keysOf(queue).jobPrefix + id);
    const levels = await familyOf(childAddresses, root);
    const [, ...below] = levels;
    for (const group of below.flatMap(inGroups)) {
      if (await this.#isAnyActive(group)) return { kind: 'needed', by: 'attempt' };
    }
    const parked = await this.#parked(root, statesFor('remove'), true);
    if (parked.kind !== 'done') return parked;
    return onceChanged(this.#removeParked(root, below, removeAlone));
  }

  async #removeParked(
    root: JobAddress,
    below: readonly (readonly JobAddress[])[],
    removeAlone: RemoveAlone,
  ): Promise<ActionOutcome> {
    for (const group of below.slice(0, -1).flatMap(inGroups)) {
      await Promise.all(group.map((job) => this.#parked(job, ['waiting-children'], false)));
    }
    for (const [queue, ids] of inQueues(below.flat())) {
      await this.#runs.bringTogether(queue, ids);
    }
    for (const group of below.toReversed().flatMap(inGroups)) {
      await Promise.all(group.map(removeAlone));
    }
    return removeAlone(root);
  }

  #isAnyActive(jobs: readonly JobAddress[]): Promise<boolean> {
    const args = jobs.flatMap(({ queue, id }) => [this.#store.keysOf(queue).jobPrefix, id]);
    return this.#store.call(findActive, { slot: args[0] ?? '' }, {}, args);
  }

  #parked(
    { queue, id }: JobAddress,
    allowed: readonly JobState[],
    isFirst: boolean,
  ): Promise<ActionOutcome> {
    const args = { now: this.#clock.now(), isFirst };
    return this.#runs.outcome(queue, parkJob, id, allowed, args);
  }
}
