import type { Attempt } from '../attempts/attempt.ts';
import { batchIdOf, callsOf, mayJoin } from '../attempts/batch.ts';
import { breakerAfterStart, breakerAtClaim } from '../attempts/breaker.ts';
import type { Claim, ClaimRequest } from '../attempts/claim.ts';
import { hasExpired } from '../attempts/expiry.ts';
import { countedCalls, heldAt, refusal, type Gate } from '../attempts/gate.ts';
import { nextStartAt } from '../queues/limiter.ts';
import { USUAL_COST } from '../queues/start-cost.ts';
import { costOf, type IndexedJob, type JobRecord } from '../records/job-record.ts';
import { waitingJobs } from './add.ts';
import { failExpired } from './expire.ts';
import { nextTurnAt } from './groups/turns.ts';
import { startInTurn } from './groups/next-group.ts';
import { accept, attemptOf, holdsJob } from './holding.ts';
import { takeNext, type Taken } from './next-job.ts';
import { resume } from './steps.ts';
import type { QueueState } from './queue-state.ts';
import { refusedByLimits, startUnderLimits, stopWaitingAt } from './shared-limits.ts';
import { skipForMemory, skipOverlapping, startScheduled } from './schedule.ts';

/** The most jobs that a claim fails or skips: the claimant is to ask again beyond it. */
const MOST_PASSED = 100;

/** Starts an attempt on the next job, if one may start (application/ports/attempt-engine-port). */
export function claim(queue: QueueState, request: ClaimRequest, now: number): Claim {
  const claimed = request.isRepeated === true ? claimedWith(queue, request.token) : undefined;
  if (claimed !== undefined) {
    if (!queue.jobs.isAtHand(claimed, true)) return { kind: 'idle', nextAt: now };
    const attempt = attemptOf(queue, queue.jobs.whole(claimed), request.token);
    receive(queue, attempt, request, now);
    return { kind: 'attempt', attempt };
  }
  const { limits } = request;
  const refused = refusal(gate(queue, request, now), request, now);
  if (limits !== undefined && refused !== undefined) stopWaitingAt(queue, limits, now);
  if (refused !== undefined) return refused;
  const leastCost = queue.record.hasCosts === true ? 0 : USUAL_COST;
  const limited = limits && refusedByLimits(queue, request, leastCost, now);
  if (limited !== undefined) return limited;
  const taken = takeStartable(queue, request, now);
  if (limits !== undefined && typeof taken !== 'object') stopWaitingAt(queue, limits, now);
  if (taken === 'another' || taken === 'elsewhere') return { kind: 'idle', nextAt: now };
  if (taken === undefined) {
    const nextAt = earliest(nextDueAt(queue), nextTurnAt(queue.groups));
    return { kind: 'idle', ...(nextAt !== undefined && { nextAt }) };
  }
  if ('until' in taken) {
    const { until } = taken;
    return limits === undefined ? { kind: 'limited', until } : { kind: 'idle', nextAt: until };
  }
  const { limiter, isPulled = false } = request;
  if (limiter !== undefined && taken.job.mustFail === undefined) {
    queue.starts.count(limiter, { at: now, cost: costOf(taken.job) });
  }
  const attempt = start(queue, taken, request, now);
  receive(queue, attempt, request, now);
  // A call to another destination cannot show whether the endpoint of the worker is back.
  if (taken.job.goesAlone !== true) {
    const breaker = breakerAfterStart(queue.record.breaker, attempt, request);
    if (breaker !== queue.record.breaker) queue.change({ breaker });
  }
  if (isPulled && !queue.record.isPulled) queue.change({ isPulled });
  if (taken.job.schedulerId !== undefined) startScheduled(queue, taken.job, now);
  return { kind: 'attempt', attempt };
}

/** When (epoch ms) the first delayed job falls due; it may be past. */
export function nextDueAt({ jobs }: QueueState): number | undefined {
  return jobs.in.delayed.first()?.position?.rank;
}

/** How many attempts count towards the concurrency. */
export function runningAttempts({ jobs, record }: QueueState): number {
  return jobs.in.active.size + record.endingCalls.size;
}

/** The tokens of all attempts that count towards the concurrency. */
export function runningTokens({ jobs, record }: QueueState): readonly string[] {
  const held = jobs.in.active
    .fromLast()
    .flatMap(({ lock }) => (lock === undefined ? [] : [lock.token]));
  return [...held, ...record.endingCalls.keys()];
}

/** The state that a claim is checked against. Removes what no longer counts. */
function gate(queue: QueueState, request: ClaimRequest, now: number): Gate {
  const { record, starts } = queue;
  const hold = heldAt(record.hold, now);
  const breaker = hold === undefined ? breakerAtClaim(record.breaker, request) : record.breaker;
  if (breaker !== record.breaker) queue.change({ breaker });
  const endingCalls = countedCalls(record.endingCalls, now);
  if (endingCalls !== record.endingCalls) queue.change({ endingCalls });
  const { probe } = breaker;
  return {
    isPaused: record.isPaused,
    hold,
    breaker,
    isProbing: probe !== undefined && holdsJob(queue, probe),
    running: request.batch === undefined ? runningAttempts(queue) : callsBeside(queue, request),
    // Where jobs have costs, that of the next one decides.
    earliestStart:
      request.limiter && starts.earliest(request.limiter, record.hasCosts ? 0 : USUAL_COST),
  };
}

/** How many calls run besides that of the token. While fewer jobs run than the concurrency, their number stands in. */
function callsBeside(queue: QueueState, { token, concurrency = Infinity }: ClaimRequest): number {
  const running = runningAttempts(queue);
  if (running < concurrency) return running;
  const own = batchIdOf(token);
  return callsOf(runningTokens(queue).filter((each) => batchIdOf(each) !== own));
}

/** Takes the next job that may start. Those that did not start in time fail; slots that overlap, or find the memory full, are skipped. */
function takeStartable(
  queue: QueueState,
  request: ClaimRequest,
  now: number,
): ReturnType<typeof takeNext> {
  const { groups, batch } = request;
  const wanted = {
    defaults: groups,
    limitedUntil: (job: IndexedJob): number | undefined =>
      limitedUntil(queue, costOf(job), request, now),
    mayTake: ({ name, half, group, goesAlone }: IndexedJob): boolean =>
      batch === undefined || mayJoin(batch, { name, half, group: group?.id, goesAlone }),
    isOfBatch: batch !== undefined,
    isAnyOrder: batch?.by === 'name',
    only: batch?.by === 'group' ? batch.kin : undefined,
  };
  for (let passed = 0; passed < MOST_PASSED; passed += 1) {
    const taken = takeNext(queue, wanted, now);
    if (taken === undefined || typeof taken === 'string' || 'until' in taken) return taken;
    const { job } = taken;
    if (hasExpired(job.expiresAt, now)) {
      queue.jobs.failedByClaims.add({ ...failExpired(queue, job, now), at: now });
    } else if (job.schedulerId === undefined || !isSkipped(queue, job, now)) return taken;
  }
  return 'another';
}

/** Until when (epoch ms) limiters let no job of this cost start; undefined when one may. */
function limitedUntil(
  queue: QueueState,
  cost: number,
  request: ClaimRequest,
  now: number,
): number | undefined {
  const { limiter, limits } = request;
  const until = limiter && nextStartAt(limiter, queue.starts.earliest(limiter, cost), now);
  if (limits === undefined || queue.record.hasCosts !== true) return until;
  if (until === undefined) return refusedByLimits(queue, request, cost, now)?.nextAt;
  stopWaitingAt(queue, limits, now);
  return until;
}

/** Whether the job of a slot is put aside, and the next one planned. */
function isSkipped(queue: QueueState, job: JobRecord, now: number): boolean {
  return skipOverlapping(queue, job, now) || skipForMemory(queue, job, now);
}

function start(
  queue: QueueState,
  { job, group }: Taken,
  request: ClaimRequest,
  now: number,
): Attempt {
  const { token, lockDuration, isPulled = false } = request;
  if (group !== undefined) startInTurn(queue, group, job, now);
  const underLimits = startUnderLimits(queue, job, request, wantsMore(queue, request), now);
  const mustFail = resume(queue, job, now);
  queue.jobs.write(job, {
    lock: { token, expiresAt: now + lockDuration, isCalled: !isPulled },
    expiresAt: undefined,
    processedOn: now,
    processedBy: queue.replica,
    attemptsStarted: job.attemptsStarted + 1,
    ...(mustFail !== undefined && { mustFail }),
    ...underLimits,
  });
  queue.note('active', job.id);
  return attemptOf(queue, job, token);
}

/** Whether the worker of the queue goes on to claim jobs. A client that pulls them asks again when it wants more. */
function wantsMore(queue: QueueState, { isPulled, concurrency = Infinity }: ClaimRequest): boolean {
  return isPulled !== true && waitingJobs(queue) > 0 && runningAttempts(queue) < concurrency;
}

function receive(
  queue: QueueState,
  attempt: Attempt,
  { isReceived, lockDuration }: ClaimRequest,
  now: number,
): void {
  if (isReceived === true) accept(queue, attempt, lockDuration, now);
}

function claimedWith({ jobs }: QueueState, token: string): IndexedJob | undefined {
  return jobs.in.active.fromLast().find(({ lock }) => lock?.token === token);
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
