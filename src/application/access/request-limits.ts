import type { Caller } from '../../domain/access/caller.ts';
import {
  LIMITED_THINGS,
  type LimitedThing,
  type TokenLimit,
  type TokenLimits,
} from '../../domain/access/token-limits.ts';
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
  readonly thing: LimitedThing;
  readonly limit: TokenLimit;
  /** As far as this replica knows. */
  readonly left: number;
  /** Milliseconds until the full quota is available again. */
  readonly endsIn: number;
}

/** A limit that applies to a caller. */
export interface CallerLimit {
  readonly thing: LimitedThing;
  readonly limit: TokenLimit;
  /** The key of the quota, which all replicas share. */
  readonly key: string;
}

/** The limits that a caller is under. */
export type CallerLimits = Readonly<Partial<Record<LimitedThing, CallerLimit>>>;

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
    return callerLimits(caller, caller.limits ?? this.#ofAll);
  }

  /**
   * Counts an amount against a limit of a caller, all or nothing.
   *
   * @throws LimitReachedError
   */
  take(limit: CallerLimit, count: number): LimitStanding | Promise<LimitStanding> {
    const now = this.#clock.now();
    const share = this.#share(limit.key, now);
    return this.#isKnown(share, limit.limit, count)
      ? this.#takeKnown(share, limit, count, now)
      : this.#takeWithLease(limit, count);
  }

  /** Whether the share alone can decide whether there is enough. */
  #isKnown(share: Share | undefined, { max }: TokenLimit, count: number): boolean {
    if (share === undefined) return count > max;
    return share.own >= count || share.own + share.others < count;
  }

  #takeKnown(
    share: Share | undefined,
    { thing, limit }: CallerLimit,
    count: number,
    now: number,
  ): LimitStanding {
    if (share === undefined) throw new LimitReachedError(thing, limit, limit.max, limit.duration);
    const endsIn = share.endsAt - now;
    const left = share.own + share.others;
    if (share.own < count) throw new LimitReachedError(thing, limit, left, endsIn);
    share.own -= count;
    return { thing, limit, left: left - count, endsIn };
  }

  async #takeWithLease(wanted: CallerLimit, count: number): Promise<LimitStanding> {
    const { thing, limit, key } = wanted;
    for (;;) {
      const now = this.#clock.now();
      const share = this.#share(key, now);
      if (this.#isKnown(share, limit, count)) return this.#takeKnown(share, wanted, count, now);
      try {
        await this.#lease(key, limit, count - (share?.own ?? 0));
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        return { thing, limit, left: limit.max, endsIn: limit.duration };
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

function callerLimits({ id }: Caller, limits: TokenLimits): CallerLimits {
  const all: Partial<Record<LimitedThing, CallerLimit>> = {};
  for (const thing of LIMITED_THINGS) {
    const limit = limits[thing];
    if (limit !== undefined) {
      all[thing] = { thing, limit, key: `${thing}:${limit.max}/${limit.duration}:${id}` };
    }
  }
  return all;
}
