import {
  integer,
  required,
  nullable,
  time,
  listOf,
  type Members,
  string,
} from '../values/shape.ts';
import { cutToLength } from '../values/text.ts';
import { failureCause } from './failure-cause.ts';

/** How many of the latest failed jobs may be examined. */
export const failuresWindow = integer(1, 10_000);

/** A job that failed, and why. */
export interface FailedJob {
  readonly id: string;
  readonly reason: string;
}

/** A failed job, with the fields that grouping needs. */
export interface Failure extends FailedJob {
  /** The status of the last answer, undefined when unknown. */
  readonly status: number | undefined;
  /** When it failed, epoch ms. */
  readonly failedAt: number;
}

/** Failed jobs with the same cause. */
export const failureGroupFields = {
  cause: required(string, 'The reason, with numbers, ids, addresses and quoted parts masked'),
  reason: required(string, 'The reason of the latest of these jobs'),
  status: required(
    nullable(integer(100, 599)),
    'The status of the last answer; null when the reason does not contain it',
  ),
  count: required(integer(1), 'How many of the jobs failed for this cause'),
  first: required(time, 'When the first of them failed, in milliseconds since 1970'),
  last: required(time, 'When the last of them failed, in milliseconds since 1970'),
  samples: required(listOf(string), 'The ids of some of them, the latest first'),
};

export type FailureGroup = Members<typeof failureGroupFields>;

/** Maximum number of ids in a group. */
const MOST_SAMPLES = 10;

/** Longest reason that is returned, in characters; reasons of other producers may have any length. */
const LONGEST_REASON = 1024;

/** Groups failures, in any order, by their causes: the most frequent one first. */
export class FailureGroups {
  readonly #groups = new Map<
    string,
    { -readonly [Name in keyof FailureGroup]: FailureGroup[Name] }
  >();

  readonly #most: number;

  /** @param most how many causes to keep: failures of any others are left out. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  add({ id, reason, status, failedAt }: Failure): void {
    const cause = failureCause(reason);
    const group = this.#groups.get(cause);
    if (group === undefined) {
      if (this.#groups.size >= this.#most) return;
      this.#groups.set(cause, {
        cause,
        reason: shownReason(reason),
        status: status ?? null,
        count: 1,
        first: failedAt,
        last: failedAt,
        samples: [id],
      });
      return;
    }
    group.count += 1;
    group.first = Math.min(group.first, failedAt);
    if (failedAt > group.last) {
      group.last = failedAt;
      group.reason = shownReason(reason);
      group.status = status ?? null;
      group.samples = [id, ...group.samples.slice(0, MOST_SAMPLES - 1)];
    } else if (group.samples.length < MOST_SAMPLES) group.samples = [...group.samples, id];
  }

  all(): readonly FailureGroup[] {
    return [...this.#groups.values()].sort(byFrequency);
  }
}

/** Merges groups of the same cause, the most frequent one first. */
export function joinedFailures(groups: readonly FailureGroup[]): readonly FailureGroup[] {
  const joined = new Map<string, FailureGroup>();
  for (const group of groups) {
    const other = joined.get(group.cause);
    joined.set(group.cause, other === undefined ? group : joinedPair(other, group));
  }
  return [...joined.values()].sort(byFrequency);
}

function joinedPair(one: FailureGroup, other: FailureGroup): FailureGroup {
  const [earlier, later] = one.last <= other.last ? [one, other] : [other, one];
  return {
    ...later,
    count: one.count + other.count,
    first: Math.min(one.first, other.first),
    samples: [...new Set([...later.samples, ...earlier.samples])].slice(0, MOST_SAMPLES),
  };
}

/** Of groups with equally many failures, the one with the latest failure comes first. */
export function byFrequency(a: FailureGroup, b: FailureGroup): number {
  return b.count - a.count || b.last - a.last;
}

function shownReason(reason: string): string {
  return cutToLength(reason, LONGEST_REASON);
}
