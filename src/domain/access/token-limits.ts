import { integer, object, optional, required, type Shaped } from '../values/shape.ts';

/** The largest count of a limit, and the bounds of its period (ms), a day at most. */
const MOST = 1_000_000_000;
const SHORTEST = 1000;
const LONGEST = 86_400_000;

/** How much is allowed within a period. */
export const limitShape = object('TokenLimit', {
  max: required(integer(1, MOST), 'How many'),
  duration: required(integer(SHORTEST, LONGEST), 'In how many ms'),
});

export type TokenLimit = Shaped<typeof limitShape>;

/** The rate limits of a token (platform contract, section 11). */
export const limitsShape = object('TokenLimits', {
  requests: optional(limitShape, 'Requests'),
  jobs: optional(limitShape, 'Jobs that are added'),
});

export type TokenLimits = Shaped<typeof limitsShape>;

/**
 * Whether limits are no freer than others, where those have any: by how much is allowed at once, and in the long run.
 */
export function areLimitsWithin(limits: TokenLimits | null, bounds: TokenLimits | null): boolean {
  return LIMITED_THINGS.every((thing) => {
    const [limit, bound] = [limits?.[thing], bounds?.[thing]];
    if (bound === undefined) return true;
    if (limit === undefined) return false;
    return limit.max <= bound.max && limit.max * bound.duration <= bound.max * limit.duration;
  });
}

/** Limits, with those of another token for what they do not limit. */
export function completedLimits(
  limits: TokenLimits | null,
  other: TokenLimits | null,
): TokenLimits | null {
  return limits === null || other === null ? (limits ?? other) : { ...other, ...limits };
}

/** What is limited. */
export const LIMITED_THINGS = ['requests', 'jobs'] as const;

export type LimitedThing = (typeof LIMITED_THINGS)[number];
