import { limiterShape, type Limiter } from '../queues/limiter.ts';
import {
  either,
  integer,
  object,
  oneOf,
  optional,
  type Shape,
  type Shaped,
} from '../values/shape.ts';

/** How many groups of a queue have settings of their own at most, how many are paused, and how many are held. */
export const MOST_CHANGED_GROUPS = 10_000;

const never: Shape<false> = {
  must: 'be false, "skip" or "block"',
  accepts: (value): value is false => value === false,
  schema: { const: false },
};

const orderedShape = either('boolean', never, {
  ...oneOf('skip', 'block'),
  must: 'be false, "skip" or "block"',
});

/**
 * Whether the jobs of a group run one at a time and in order. A job that failed for good is skipped ("skip"), or blocks
 * its group until it is retried or removed ("block").
 */
export type Ordered = Shaped<typeof orderedShape>;

const limits = {
  concurrency: optional(integer(1), 'Most jobs of a group that run at a time, over all replicas'),
  limiter: optional(limiterShape, 'Bounds the rate at which jobs of a group start'),
  maxWaiting: optional(integer(0), 'Most waiting jobs of a group that an add may lead to'),
};

/** The settings of every group of a queue that has none of its own (platform contract, section 13). */
export const groupDefaultsShape = object('GroupDefaults', {
  ...limits,
  ordered: optional(
    orderedShape,
    'Whether jobs of a group run one at a time and in order; a job that failed for good is then passed over (skip) or ' +
      'blocks its group (block)',
  ),
});

/** @property hasFlows whether each group has a limit that it shares with those of its id in other queues. */
export type GroupDefaults = Shaped<typeof groupDefaultsShape> & { readonly hasFlows?: true };

export const DEFAULT_WEIGHT = 1;

/** The settings of one group, in place of the defaults. */
export const groupSettingsShape = object('GroupSettings', {
  concurrency: limits.concurrency,
  limiter: limits.limiter,
  weight: optional(
    integer(1, 100),
    `How many turns the group gets beside a group of weight 1; ${DEFAULT_WEIGHT} unless given`,
  ),
  maxWaiting: limits.maxWaiting,
  expires: optional(integer(0), 'When the settings end to hold, epoch ms; never unless given'),
});

export type GroupSettings = Shaped<typeof groupSettingsShape>;

/** The effective settings of a group. */
export interface GroupTerms {
  readonly concurrency: number | undefined;
  readonly limiter: Limiter | undefined;
  readonly maxWaiting: number | undefined;
  readonly weight: number;
  readonly ordered: Ordered;
}

/** The settings of a group, or none once they have expired. @param now epoch ms. */
export function settingsInForce(
  settings: GroupSettings | undefined,
  now: number,
): GroupSettings | undefined {
  return settings?.expires !== undefined && settings.expires <= now ? undefined : settings;
}

/**
 * The effective settings of a group, given the defaults of its queue.
 *
 * @param settings those of the group itself, which may have expired.
 * @param now epoch ms.
 */
export function groupTerms(
  defaults: GroupDefaults | undefined,
  settings: GroupSettings | undefined,
  now: number,
): GroupTerms {
  const own = settingsInForce(settings, now);
  const { concurrency = defaults?.concurrency, limiter = defaults?.limiter } = own ?? {};
  const { maxWaiting = defaults?.maxWaiting, weight = DEFAULT_WEIGHT } = own ?? {};
  const { ordered = false } = defaults ?? {};
  return { concurrency, limiter, maxWaiting, weight, ordered };
}

/** The defaults for the groups of a queue: each field of the policy takes precedence over that of its worker. */
export function joinedDefaults(
  ofWorker: GroupDefaults | undefined,
  ofPolicy: GroupDefaults | undefined,
): GroupDefaults | undefined {
  if (ofWorker === undefined || ofPolicy === undefined) return ofPolicy ?? ofWorker;
  return { ...ofWorker, ...ofPolicy };
}
