import fc from 'fast-check';
import type { AttemptPorts } from '../../../src/application/store-ports.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import { batchIdOf, kinshipOf } from '../../../src/domain/attempts/batch.ts';
import type { BatchRequest, Claim, ClaimRequest } from '../../../src/domain/attempts/claim.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { without } from '../../../src/domain/values/without.ts';
import { HOUR } from '../../contracts/queue-steps.ts';
import { attempt, queue, replica } from '../choices.ts';
import { NOTHING, operation } from '../operation.ts';
import type { Stage } from '../stage.ts';
import { EXACT, SOON, LATER } from '../time.ts';
import { groupDefaults } from './groups.ts';

/** How often a claim is made again that comes back without a job from a queue that may have some. */
const MOST_TRIES = 5;

const terms = {
  isPulled: fc.boolean(),
  isReceived: fc.constantFrom(false, false, true),
  concurrency: fc.constantFrom(1, 3, undefined, undefined, undefined),
  isLimited: fc.constantFrom(false, false, false, true),
  hasBreaker: fc.constantFrom(true, true, true, false),
  hasShortLock: fc.constantFrom(false, false, true),
};

/** The terms of a claim. */
export const claimTerms = fc.record(terms);

export type ClaimTerms = typeof claimTerms extends fc.Arbitrary<infer Terms> ? Terms : never;

export const claiming = {
  claim: operation(10, fc.record({ queue, replica, ...terms }), async (stage, choice) => {
    const name = stage.queue(choice.queue);
    const { attempts } = stage.replica(choice.replica);
    const request = requestOf(choice, stage.drawToken(), name);
    return noted(stage, name, await claimed(stage, attempts, name, request));
  }),
  claimBatch: operation(
    3,
    fc.record({
      queue,
      replica,
      size: fc.integer({ min: 2, max: 4 }),
      by: fc.constantFrom('queue', 'group', 'name'),
      ...terms,
    }),
    async (stage, choice) => {
      const name = stage.queue(choice.queue);
      const { token, ...request } = requestOf(choice, stage.drawToken(), name);
      const call = batchIdOf(token);
      const tokens = Array.from({ length: choice.size }, (_, index) =>
        `${call}-${index}`.padEnd(token.length, 'x'),
      );
      const attempts = await fill(stage.replica(choice.replica).attempts, name, {
        ...request,
        tokens,
        batch: { by: choice.by },
      });
      for (const { jobId, token: each } of attempts) {
        stage.noteAttempt({ queue: name, jobId, token: each });
      }
      // It is left to the store whether a child that starts in the same call has started when its parent is read.
      return attempts.map((each) => ({
        ...each,
        children: each.children?.map((child) => without(child, 'state')),
      }));
    },
  ),
  claimAgain: operation(1, fc.record({ attempt, replica, ...terms }), async (stage, choice) => {
    const held = stage.attempt(choice.attempt);
    if (held === undefined || !(await stage.harness.attempts.holds(held.queue, held)))
      return NOTHING;
    const request = { ...requestOf(choice, held.token, held.queue), isRepeated: true };
    const claim = await stage.replica(choice.replica).attempts.claim(held.queue, request);
    return shown(claim);
  }),
};

export function requestOf(
  { isPulled, isReceived, concurrency, isLimited, hasBreaker, hasShortLock }: ClaimTerms,
  token: string,
  queue: QueueName,
): ClaimRequest {
  return {
    token,
    groups: groupDefaults(queue),
    isPulled,
    isReceived: isPulled && isReceived,
    concurrency,
    hasBreaker: hasBreaker && !isPulled,
    lockDuration: hasShortLock ? SOON : HOUR,
    ...(isLimited && { limiter: { max: 2, duration: LATER } }),
  };
}

/** Claims for a call until it is full or finds no more jobs. On Redis, a skipped slot leaves its token without a job. */
async function fill(
  attempts: AttemptPorts,
  queue: QueueName,
  { tokens, ...request }: BatchRequest,
): Promise<readonly Attempt[]> {
  const claimed: Attempt[] = [];
  let left = tokens;
  for (let tries = 1; tries <= MOST_TRIES && left.length > 0; tries += 1) {
    const kin = claimed[0] && kinshipOf(claimed[0]);
    const batch = { ...request.batch, kin };
    const found = await attempts.claimBatch(queue, { ...request, tokens: left, batch });
    claimed.push(...found.attempts);
    left = left.filter((token) => found.attempts.every((each) => each.token !== token));
  }
  return claimed;
}

/** Makes a claim again that may have met jobs whose time to start was over, and come back without one. */
export async function claimed(
  { harness }: Stage,
  attempts: AttemptPorts,
  queue: QueueName,
  request: ClaimRequest,
): Promise<Claim> {
  for (let tries = 1; ; tries += 1) {
    const claim = await attempts.claim(queue, request);
    if (claim.kind !== 'idle' || tries === MOST_TRIES) return claim;
    const { counts } = await harness.queues.list(queue, { statuses: [], start: 0, length: 0 });
    if (counts.waiting + counts.prioritized + counts.delayed === 0) return claim;
  }
}

/** The outcome of a claim, after later steps may refer to its attempt. */
export function noted(stage: Stage, queue: QueueName, claim: Claim): unknown {
  if (claim.kind === 'attempt') {
    const { jobId, token } = claim.attempt;
    stage.noteAttempt({ queue, jobId, token });
  }
  return shown(claim);
}

/** Without the end of a hold, which may be that of a key, and with one of a cancelled call as exact as that of a lock. */
function shown(claim: Claim): unknown {
  if (claim.kind === 'limited') return { kind: claim.kind };
  const { nextAt, ...others } = { nextAt: undefined, ...claim };
  return { ...others, nextAt: nextAt && Math.round(nextAt / EXACT) };
}
