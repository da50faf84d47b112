import { isLimiting, type RetentionPolicy } from '../../domain/policies/retention-policy.ts';
import type { Policies } from '../policies/policies.ts';
import {
  QUEUES_PER_REMOVAL,
  type EndedRemovalPort,
  type RetainedQueue,
} from '../ports/ended-removal-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { QueueNames } from '../queues/queue-names.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** How long (ms) no replica begins a sweep after one did. */
const INTERVAL = 20_000;

/** How often (ms) each replica asks whether it is to sweep, so that one takes the place of another that ended. */
const ASKED_EVERY = 5000;

/** Pause (ms) between steps, so that the store can serve others. */
const PAUSE = 5;

export interface EndedJobsSweepDependencies {
  readonly policies: Pick<Policies, 'known' | 'of' | 'ofOthers' | 'each'>;
  readonly names: Pick<QueueNames, 'list'>;
  readonly removal: EndedRemovalPort;
  readonly logger: LoggerPort;
  /** The retention of queues whose policies name none (DEFAULT_RETENTION). */
  readonly byDefault: RetentionPolicy | undefined;
}

/**
 * Removes the jobs that ended and that the retention of their queue does not keep (reach contract, section 20), one
 * short step in each round. One replica at a time sweeps; another one joins it when a sweep takes long.
 */
export class EndedJobsSweep implements RepeatedWork {
  readonly name = 'sweep of ended jobs';
  readonly failure = { line: 'Ended jobs could not be removed', pause: ASKED_EVERY };
  readonly #dependencies: EndedJobsSweepDependencies;
  /** What is left of the sweep. Those with the most to remove come last, so that others need not wait for them. */
  #left: readonly RetainedQueue[] = [];
  #removed = 0;

  constructor(dependencies: EndedJobsSweepDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<number> {
    const { policies, removal } = this.#dependencies;
    if (this.#left.length === 0) {
      await policies.known();
      if (!this.#isNeeded || !(await removal.claimSweep(INTERVAL))) return ASKED_EVERY;
      this.#left = await this.#retained();
    }
    return this.#step();
  }

  async #step(): Promise<number> {
    const { removal, logger } = this.#dependencies;
    const some = this.#left.slice(0, QUEUES_PER_REMOVAL);
    // Those of a step that fails come with the next sweep: they do not keep others from theirs.
    this.#left = this.#left.slice(QUEUES_PER_REMOVAL);
    const { removed, left } = await removal.removeBeyond(this.#inForce(some));
    this.#left = [...this.#left, ...left];
    this.#removed += removed;
    if (this.#left.length > 0) return PAUSE;
    if (this.#removed > 0) logger.debug('Ended jobs removed', { count: this.#removed });
    this.#removed = 0;
    return ASKED_EVERY;
  }

  get #isNeeded(): boolean {
    if (isGiven(this.#ofOthers)) return true;
    for (const [, { retention }] of this.#dependencies.policies.each()) {
      if (isGiven(retention)) return true;
    }
    return false;
  }

  get #ofOthers(): RetentionPolicy | undefined {
    const { policies, byDefault } = this.#dependencies;
    return policies.ofOthers?.retention ?? byDefault;
  }

  /** All queues with a retention. Only where others have one too are they to be looked for. */
  async #retained(): Promise<readonly RetainedQueue[]> {
    const { policies, names } = this.#dependencies;
    const own = [...policies.each()].map(([queue]) => queue);
    const queues = isGiven(this.#ofOthers) ? [...own, ...(await names.list(undefined, true))] : own;
    return [...new Set(queues)].flatMap((queue) => this.#retainedIn(queue));
  }

  #retainedIn(queue: RetainedQueue['queue']): readonly RetainedQueue[] {
    const { policies, byDefault } = this.#dependencies;
    const retention = policies.of(queue)?.retention ?? byDefault;
    return isGiven(retention) ? [{ queue, retention }] : [];
  }

  /** A long sweep goes by the policies of each step. */
  #inForce(queues: readonly RetainedQueue[]): readonly RetainedQueue[] {
    return queues.flatMap(({ queue }) => this.#retainedIn(queue));
  }
}

function isGiven(retention: RetentionPolicy | undefined): retention is RetentionPolicy {
  return retention !== undefined && isLimiting(retention);
}
