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

/** What is limited. */
export const LIMITED_THINGS = ['requests', 'jobs'] as const;

export type LimitedThing = (typeof LIMITED_THINGS)[number];
