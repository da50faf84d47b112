import { DomainError, existing, notFound } from '../../domain/errors.ts';
import { startsLeft, type QueueAtLimit } from '../../domain/limits/limit-use.ts';
import { checkLimit, limitNameShape, type LimitSettings } from '../../domain/limits/limit.ts';
import { limiterShape } from '../../domain/queues/limiter.ts';
import {
  integer,
  nullable,
  object,
  required,
  string,
  type Shaped,
} from '../../domain/values/shape.ts';
import type { KeptLimits } from '../kept/limits.ts';
import type { Policies } from '../policies/policies.ts';
import type { LimitUsePort } from '../ports/limit-use-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';

export interface LimitsDependencies {
  readonly limits: KeptLimits;
  readonly limitUse: Pick<LimitUsePort, 'queuesAt' | 'uses'>;
  readonly policies: Pick<Policies, 'namingLimit'>;
  readonly signals: Pick<ReplicaSignalsPort, 'send'>;
}

/** A limit and how much of it is in use. */
export const shownLimitShape = object('Limit', {
  name: required(string, 'Its name'),
  concurrency: required(
    nullable(integer(1)),
    'How many calls may run at once; null for any number',
  ),
  limiter: required(
    nullable(limiterShape),
    'How many calls start in a window; null for any number',
  ),
  running: required(integer(0), 'How many calls run now, of all queues and replicas'),
  startsLeft: required(
    nullable(integer(0)),
    'How many calls the limiter lets start now, 0 when its window is overdrawn; null without a limiter',
  ),
});

export type ShownLimit = Shaped<typeof shownLimitShape>;

/**
 * The limits that queues share (further contract, section 23). Methods throw DomainError `store-unavailable`.
 */
export class Limits {
  readonly #dependencies: LimitsDependencies;

  constructor(dependencies: LimitsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a limit in place of any other of its name. It is in force for the next start.
   *
   * @throws DomainError `invalid-request` naming the field, `too-many-limits`.
   */
  async put(name: string, settings: LimitSettings): Promise<ShownLimit> {
    checkLimit(name, settings);
    const { limits, signals } = this.#dependencies;
    await limits.put(name, () => settings);
    // A larger limit has room for queues that wait.
    signals.send('opened');
    return this.#shown(name, settings);
  }

  /** The limit as `put` would answer it; nothing is stored. @throws DomainError `invalid-request`. */
  preview(name: string, settings: LimitSettings): Promise<ShownLimit> {
    checkLimit(name, settings);
    return this.#shown(name, settings);
  }

  /** All limits, in the order of their names. */
  async list(): Promise<readonly ShownLimit[]> {
    const { limits, limitUse } = this.#dependencies;
    const names = [...(await limits.ids())].sort();
    const uses = await limitUse.uses(names.map((name) => ({ name })));
    return uses.flatMap((use) => (use === undefined ? [] : [shown(use)]));
  }

  /** @throws DomainError `limit-not-found`. */
  async read(name: string): Promise<ShownLimit> {
    if (!limitNameShape.accepts(name)) throw notFound('limit');
    const [use] = await this.#dependencies.limitUse.uses([{ name }]);
    return shown(existing(use, 'limit'));
  }

  /** The queues that run calls under a limit or wait for room. @throws DomainError `limit-not-found`. */
  async queuesAt(name: string): Promise<readonly QueueAtLimit[]> {
    const { limits, limitUse } = this.#dependencies;
    existing(await limits.find(name), 'limit');
    return limitUse.queuesAt(name);
  }

  /**
   * Removes a limit. A policy that named it meanwhile, on any replica, has it back.
   *
   * @throws DomainError `limit-not-found`, `limit-in-use` while a policy names it.
   */
  async remove(name: string): Promise<void> {
    const { limits } = this.#dependencies;
    const settings = existing(await limits.find(name), 'limit');
    await this.#requireUnnamed(name);
    if (!(await limits.remove(name))) throw notFound('limit');
    try {
      await this.#requireUnnamed(name);
    } catch (error) {
      await limits.put(name, (kept) => kept ?? settings);
      throw error;
    }
  }

  async #requireUnnamed(name: string): Promise<void> {
    const named = await this.#dependencies.policies.namingLimit(name);
    if (named === undefined) return;
    throw new DomainError('limit-in-use', `The policy of ${named} names the limit ${name}`);
  }

  async #shown(name: string, settings: LimitSettings): Promise<ShownLimit> {
    const [use] = await this.#dependencies.limitUse.uses([{ name }]);
    return shown({ name, running: 0, started: 0, ...use, settings });
  }
}

function shown(use: Parameters<typeof startsLeft>[0]): ShownLimit {
  const { name, settings, running } = use;
  const { concurrency = null, limiter = null } = settings;
  return { name, concurrency, limiter, running, startsLeft: startsLeft(use) };
}
