import fc from 'fast-check';
import { REPORTED } from '../../../src/domain/attempts/breaker.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { attempt, duration, replica, retention } from '../choices.ts';
import { NOTHING, operation } from '../operation.ts';
import type { Stage } from '../stage.ts';
import { LATER, SOON } from '../time.ts';
import { claimed, claimTerms, noted, requestOf } from './claiming.ts';

const BREAKER = { failures: 2, openFor: LATER, maxOpenFor: 4 * LATER };
const REASON = 'it broke';

const ending = fc.record({
  kind: fc.constantFrom('completed', 'completed', 'failed', 'retry', 'retryLater'),
  keep: retention,
  hasVerdict: fc.boolean(),
  hasCall: fc.constantFrom(true, true, true, false),
  half: fc.constantFrom(undefined, undefined, undefined, 'left', 'right'),
  isDeadLetter: fc.constantFrom(false, false, true),
});

type Choice = typeof ending extends fc.Arbitrary<infer Choice> ? Choice : never;

export const endings = {
  settle: operation(
    10,
    fc.record({ attempt, replica, ending, next: fc.option(claimTerms, { nil: undefined }) }),
    async (stage, choice) => {
      const held = stage.attempt(choice.attempt);
      if (held === undefined) return NOTHING;
      const { attempts } = stage.replica(choice.replica);
      const request = choice.next && requestOf(choice.next, stage.drawToken(), held.queue);
      const ending = endingOf(stage, choice.ending);
      const settled = await attempts.settle(held.queue, held, ending, request);
      if (request === undefined) return settled;
      // A store may leave the claim to a call of its own.
      const next =
        settled.next === undefined || settled.next.kind === 'idle'
          ? await claimed(stage, attempts, held.queue, request)
          : settled.next;
      return { ...settled, next: noted(stage, held.queue, next) };
    },
  ),
  defer: operation(
    2,
    fc.record({
      attempt,
      replica,
      scope: fc.constantFrom('queue', 'group', 'job'),
      wait: fc.constantFrom(0, SOON, LATER),
      place: fc.constantFrom('ahead', 'behind', undefined, undefined),
    }),
    async (stage, choice) => {
      const held = stage.attempt(choice.attempt);
      if (held === undefined) return NOTHING;
      return stage.replica(choice.replica).attempts.settle(held.queue, held, {
        kind: 'deferred',
        reason: 'not now',
        scope: choice.scope,
        until: stage.harness.now() + choice.wait,
        place: choice.scope === 'job' ? choice.place : undefined,
        call: { outcome: 'deferred', status: 429 },
      });
    },
  ),
  release: operation(
    2,
    fc.record({ attempt, replica, isUncounted: fc.boolean() }),
    async (stage, choice) => {
      const held = stage.attempt(choice.attempt);
      const { attempts } = stage.replica(choice.replica);
      return held && attempts.release(held.queue, held, choice.isUncounted);
    },
  ),
  report: operation(4, fc.record({ attempt, replica, ending }), async (stage, choice) => {
    const held = stage.attempt(choice.attempt);
    if (held === undefined) return NOTHING;
    const verdict = choice.ending.hasVerdict ? REPORTED : undefined;
    const report = { ...endingOf(stage, choice.ending), verdict };
    stage.reports.set(held.token, report);
    return stage.replica(choice.replica).attempts.reportEnding(held.queue, held, report);
  }),
  reportAgain: operation(1, fc.record({ attempt, replica }), async (stage, choice) => {
    const held = stage.attempt(choice.attempt);
    const report = held && stage.reports.get(held.token);
    if (held === undefined || report === undefined) return NOTHING;
    const { attempts } = stage.replica(choice.replica);
    const wasReported = await attempts.wasReported(held.queue, held);
    return { wasReported, answer: await attempts.reportEnding(held.queue, held, report) };
  }),
  reportRelease: operation(
    2,
    fc.record({ attempt, replica, delay: fc.oneof(fc.constant(0), duration) }),
    async (stage, choice) => {
      const held = stage.attempt(choice.attempt);
      const { attempts } = stage.replica(choice.replica);
      return held && attempts.reportRelease(held.queue, held, choice.delay);
    },
  ),
};

function endingOf(
  stage: Stage,
  { kind, keep, hasVerdict, hasCall, half, isDeadLetter }: Choice,
): Exclude<AttemptEnding, { kind: 'deferred' }> {
  const isDown = kind !== 'completed';
  const verdict = hasVerdict ? { ...BREAKER, isDown, reason: isDown ? REASON : '' } : undefined;
  const call = hasCall
    ? ({ outcome: isDown ? 'failed' : 'completed', status: isDown ? 500 : 200 } as const)
    : undefined;
  switch (kind) {
    case 'completed':
      return { kind, returnvalue: { done: true }, keep, call, verdict };
    case 'failed':
      return {
        kind,
        reason: REASON,
        keep,
        call,
        verdict,
        ...(isDeadLetter && { deadLetterQueue: stage.queue(1) }),
      };
    default:
      return {
        kind: 'retry',
        reason: REASON,
        ...(kind === 'retry' ? { delay: 0, half } : { delay: SOON }),
        call,
        verdict,
      };
  }
}
