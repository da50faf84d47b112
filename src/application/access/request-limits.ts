import type { Caller } from '../../domain/access/caller.ts';
import type { LimitedThing, TokenLimit, TokenLimits } from '../../domain/access/token-limits.ts';
import { LimitReachedError } from '../../domain/access/limit-reached-error.ts';
import { isStoreUnavailable } from '../../domain/errors.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QuotaPort } from '../ports/quota-port.ts';

/**
 * How many leases a quota is divided into. Even with one refused lease on each of a few replicas, a token costs at most
 * 20 commands per period, and the unused lease of a replica is at most 6 % of the quota.
 */
const LEASES = 17;

/** What is left of a limit. */
export interface LimitStanding {
  readonly policy: string;
  /** As far as this replica knows. */
  readonly left: number;
  /** Milliseconds until the full quota is available again. */
  readonly endsIn: number;
}

/** A limit that applies to a caller. */
export interface CallerLimit {
  readonly thing: LimitedThing;
  /** The thing, followed by -1 for a limit of the token that made the caller's, -2 for the one that made that, … */
  readonly policy: string;
  readonly limit: TokenLimit;
  /** The id of the token that has the limit. */
  readonly holder: string;
  /** The key of the quota, which all replicas share. */
  readonly key: string;
}

/** The limits that a caller is under: its own, and those of the tokens that made its own. */
export type CallerLimits = Readonly<Record<LimitedThing, readonly CallerLimit[]>>;

/** The state of a quota in its current period, as this replica knows it. */
interface Share {
  /** The unused part of the leases. */
  own: number;
  /** How much could still be leased as of the latest lease; there is no more now. */
  others: number;
  /** Epoch ms. */
  endsAt: number;
}

/**
 * Enforces the limits of callers across all replicas (platform contract, section 11). A replica leases quotas in parts,
 * so that most requests cost no command. While the store is away nothing is limited, since requests that need the store
 * fail anyway.
 */
export class RequestLimits {
  readonly #quotas: QuotaPort;
  readonly #clock: ClockPort;
  readonly #ofAll: TokenLimits;
  readonly #shares = new Map<string, Share>();
  readonly #leases = new Map<string, Promise<void>>();

  /** @param ofAll the limits of callers that have none of their own. */
  constructor(quotas: QuotaPort, clock: ClockPort, ofAll: TokenLimits) {
    this.#quotas = quotas;
    this.#clock = clock;
    this.#ofAll = ofAll;
  }

  /** The limits of a caller. Building their keys costs as much as `take`, so ask once for each caller. */
  limitsOf(caller: Caller): CallerLimits {
    const holders = [caller, ...caller.ancestors];
    const limitsOn = (thing: LimitedThing): readonly CallerLimit[] =>
      holders.flatMap(({ id, limits }, generation) => {
        const limit = (limits ?? this.#ofAll)[thing];
        if (limit === undefined) return [];
        const policy = generation === 0 ? thing : `${thing}-${generation}`;
        const key = `${thing}:${limit.max}/${limit.duration}:${id}`;
        return [{ thing, policy, limit, holder: id, key }];
      });
    return { requests: limitsOn('requests'), jobs: limitsOn('jobs') };
  }

  /**
   * Counts an amount against all limits on a thing of a caller, of which there is one at least: against all or none.
   *
   * @returns the limit with the fewest calls left.
   * @throws LimitReachedError
   */
  take(limits: readonly CallerLimit[], count: number): LimitStanding | Promise<LimitStanding> {
    const now = this.#clock.now();
    return this.#firstUnknown(limits, count, now) === undefined
      ? this.#takeKnown(limits, count, now)
      : this.#takeWithLease(limits, count);
  }

  /** The first limit whose share alone cannot decide whether there is enough. */
  #firstUnknown(
    limits: readonly CallerLimit[],
    count: number,
    now: number,
  ): CallerLimit | undefined {
    for (const limit of limits) {
      if (!this.#isKnown(this.#share(limit.key, now), limit.limit, count)) return limit;
    }
    return undefined;
  }

  /** Whether the share alone can decide whether there is enough. */
  #isKnown(share: Share | undefined, { max }: TokenLimit, count: number): boolean {
    if (share === undefined) return count > max;
    return share.own >= count || share.own + share.others < count;
  }

  #takeKnown(limits: readonly CallerLimit[], count: number, now: number): LimitStanding {
    for (const wanted of limits) {
      const { policy, thing, limit, key } = wanted;
      const { own, others, endsAt } = this.#share(key, now) ?? untouched(limit, now);
      if (own >= count) continue;
      throw new LimitReachedError(thing, limit, policy, own + others, endsAt - now);
    }
    const standings = limits.map(({ policy, limit, key }) => {
      const share = this.#share(key, now) ?? untouched(limit, now);
      share.own -= count;
      return { policy, left: share.own + share.others, endsIn: share.endsAt - now };
    });
    return standings.reduce((least, each) => (each.left < least.left ? each : least));
  }

  async #takeWithLease(limits: readonly CallerLimit[], count: number): Promise<LimitStanding> {
    for (;;) {
      const now = this.#clock.now();
      const wanted = this.#firstUnknown(limits, count, now);
      if (wanted === undefined) return this.#takeKnown(limits, count, now);
      const { policy, limit, key } = wanted;
      try {
        await this.#lease(key, limit, count - (this.#share(key, now)?.own ?? 0));
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        return { policy, left: limit.max, endsIn: limit.duration };
      }
    }
  }

  /** Requests that arrive in the meantime wait for the same lease. */
  #lease(key: string, limit: TokenLimit, needed: number): Promise<void> {
    const running = this.#leases.get(key);
    if (running !== undefined) return running;
    const lease = this.#leaseNow(key, limit, needed).finally(() => this.#leases.delete(key));
    this.#leases.set(key, lease);
    return lease;
  }

  async #leaseNow(key: string, { max, duration }: TokenLimit, needed: number): Promise<void> {
    const wanted = Math.max(Math.ceil(max / LEASES), needed);
    const { granted, left, endsIn } = await this.#quotas.lease(key, {
      wanted,
      needed,
      max,
      duration,
    });
    const now = this.#clock.now();
    const own = (this.#share(key, now)?.own ?? 0) + granted;
    this.#shares.set(key, { own, others: left, endsAt: now + endsIn });
  }

  /** Returns the share, and forgets it once its period is over. */
  #share(key: string, now: number): Share | undefined {
    const share = this.#shares.get(key);
    if (share === undefined || share.endsAt > now) return share;
    this.#shares.delete(key);
    return undefined;
  }
}

/** The state of a quota of which nothing was leased: only an amount beyond all of it is refused without a lease. */
function untouched({ max, duration }: TokenLimit, now: number): Share {
  return { own: 0, others: max, endsAt: now + duration };
}
