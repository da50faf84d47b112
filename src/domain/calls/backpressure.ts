import { answerHeader, type EndpointAnswer } from './delivery.ts';
import { LONGEST_HOLD } from '../queues/hold.ts';
import { retryAfter } from './retry-after.ts';
import { integer, object, oneOf, optional, type Shape, type Shaped } from '../values/shape.ts';

/** The statuses of endpoints that ask to be called later. */
const NOT_NOW = [429, 503];

const DEFAULT_MAX_DEFERRALS = 100;

/** The first and the longest wait (ms) when an answer does not say how long. */
const [FIRST_WAIT, LONGEST_WAIT] = [1000, 60_000];

/** Maximum length of a list of statuses, which is searched after each failed call. */
const MOST_STATUSES = 100;

const status = integer(200, 599);

const statusesShape: Shape<readonly number[]> = {
  must: `be an array of up to ${MOST_STATUSES} statuses from 200 to 599`,
  accepts: (value): value is readonly number[] =>
    Array.isArray(value) && value.length <= MOST_STATUSES && value.every(status.accepts),
  schema: { type: 'array', maxItems: MOST_STATUSES, items: status.schema },
};

/** How a worker treats answers that ask to be called later. */
export const backpressureShape = object('Backpressure', {
  statuses: optional(
    statusesShape,
    `Statuses that defer a job, with Retry-After or without; ${NOT_NOW.join(' and ')} unless given`,
  ),
  hold: optional(
    oneOf('queue', 'group', 'job'),
    'The jobs that wait then: all of the queue, those of the group of the job, or that job alone; unless given the group, ' +
      'and the queue for a job without one',
  ),
  maxHold: optional(
    integer(1),
    `The longest time that an answer may ask for, in milliseconds; ${LONGEST_HOLD} unless given`,
  ),
  maxDeferrals: optional(
    integer(1, 10_000),
    `How often a job is deferred before its attempts count; ${DEFAULT_MAX_DEFERRALS} unless given`,
  ),
});

export type Backpressure = Shaped<typeof backpressureShape>;

/**
 * What is held back until a deferred job may start again: all jobs of the queue, the jobs of its group, or that job
 * alone.
 */
export type DeferralScope = 'queue' | 'group' | 'job';

/** What the answer of a failed call asks for. */
export interface AskedPause {
  /** In milliseconds. */
  readonly wait: number;
  /** What is deferred; absent when the attempt counts and `wait` is the pause before the next one. */
  readonly defers?: DeferralScope;
}

/** Whether a job may be deferred again without an attempt that counts, after this many deferrals. */
export function mayDefer(backpressure: Backpressure | undefined, deferrals = 0): boolean {
  return deferrals < (backpressure?.maxDeferrals ?? DEFAULT_MAX_DEFERRALS);
}

/**
 * The pause that a failed answer asks for, if any. A 429 or 503 with a `Retry-After` defers the job; a worker may name
 * other statuses, whose answers defer the job even without that header.
 *
 * @param deferrals how often the job was deferred.
 * @param now epoch ms.
 * @param isGrouped whether the job has a group.
 * @param chance from 0 to below 1.
 */
export function askedPause(
  answer: EndpointAnswer,
  backpressure: Backpressure | undefined,
  deferrals: number,
  now: number,
  isGrouped = false,
  chance = Math.random(),
): AskedPause | undefined {
  const { maxHold = LONGEST_HOLD } = backpressure ?? {};
  const asked = retryAfter(answer, now);
  const isNamed =
    backpressure !== undefined && (backpressure.statuses ?? NOT_NOW).includes(answer.status);
  const isAllowed = mayDefer(backpressure, deferrals);
  if (asked !== undefined) {
    const wait = Math.min(asked, maxHold);
    const defers = isAllowed && (isNamed || NOT_NOW.includes(answer.status));
    return defers ? { wait, defers: scopeOf(answer, backpressure, isGrouped) } : { wait };
  }
  if (!isNamed || !isAllowed) return undefined;
  const longest = Math.min(FIRST_WAIT * 2 ** deferrals, LONGEST_WAIT, maxHold);
  return { wait: Math.floor(longest * chance), defers: scopeOf(answer, backpressure, isGrouped) };
}

function scopeOf(
  answer: EndpointAnswer,
  backpressure: Backpressure | undefined,
  isGrouped: boolean,
): DeferralScope {
  const asked = answerHeader(answer, 'jobgate-hold')?.trim().toLowerCase();
  const isKnown = asked === 'queue' || asked === 'group' || asked === 'job';
  const scope = isKnown ? asked : (backpressure?.hold ?? 'group');
  return scope === 'group' && !isGrouped ? 'queue' : scope;
}
