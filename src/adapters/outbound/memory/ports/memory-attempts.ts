/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Attempt, AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { AttemptEnginePort } from '../../../../application/ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../../../../application/ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../../../../application/ports/attempt-sweep-port.ts';
import type { Claim } from '../../../../domain/attempts/claim.ts';
import type { AttemptEnding, Settled } from '../../../../domain/attempts/ending.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { Step } from '../../../../domain/steps/step.ts';
import type { MadeRequest } from '../../../../domain/transitions/suspend.ts';
import type { OverdueAttempt } from '../../../../domain/attempts/acceptance.ts';
import { kinshipOf } from '../../../../domain/attempts/batch.ts';
import { MOST_CHILDREN_BYTES } from '../../../../domain/flows/flow.ts';
import { callOfSeveral, forgetCall, noteCall } from '../../../../domain/transitions/calls.ts';
import { claim as claimJob } from '../../../../domain/transitions/claim.ts';
import {
  accept,
  addLog,
  endCall,
  extend,
  heldJob,
  holdsJob,
  overdue,
  renew,
  reportProgress,
} from '../../../../domain/transitions/holding.ts';
import {
  release,
  rememberedReport,
  reportEnding,
  reportRelease,
  settle,
} from '../../../../domain/transitions/settle.ts';
import { shownJob } from '../../../../domain/transitions/shown-job.ts';
import { recoverStalled } from '../../../../domain/transitions/stalled.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { JobReading, readJob } from './job-reading.ts';
import { makeHeldCalls } from './held-calls.ts';
import { QueueSteps } from './queue-steps.ts';
import { withValues } from './memory-steps.ts';
import { fittingChildren } from './shown-children.ts';
import { MOST_IN_SMALL, Steps } from './steps.ts';
import { Suspending } from './suspending.ts';

const LOST: Settled = { held: false };

/** Attempts to process the jobs of queues in the memory of this process. */
export function memoryAttempts(
  store: MemoryStore,
  running = new Steps(),
): AttemptEnginePort & AttemptHolderPort & AttemptSweepPort {
  const steps = new QueueSteps(store);
  const suspending = new Suspending(store, running);
  const claim: AttemptEnginePort['claim'] = (name, request) => {
    const step = (): Claim =>
      withChildren(
        store,
        name,
        store.step(name, (queue, now) => claimJob(queue, request, now)),
      );
    return new JobReading(store.open(name)).untilAtHand(step);
  };
  const claimBatch: AttemptEnginePort['claimBatch'] = async (queue, { tokens, ...request }) => {
    const attempts: Attempt[] = [];
    let { batch } = request;
    for (const token of tokens) {
      const claimed = await claim(queue, { ...request, batch, token });
      if (claimed.kind !== 'attempt') return { attempts, lack: claimed };
      attempts.push(claimed.attempt);
      batch = { ...batch, kin: batch.kin ?? kinshipOf(claimed.attempt) };
    }
    return { attempts };
  };
  /** Takes the step that ends an attempt, with what follows from it. */
  const settled: AttemptEnginePort['settle'] = async (name, attempt, ending, next) => {
    const step = (): Settled => {
      const outcome = store.step(name, (queue, now) => settle(queue, attempt, ending, now, next));
      if (outcome.next === undefined) return outcome;
      return { ...outcome, next: withChildren(store, name, outcome.next) };
    };
    const queue = store.find(name);
    const isWhole = queue?.jobs.find(attempt.jobId)?.isWhole !== false;
    const ended = isWhole ? step() : await new JobReading(queue).withWhole(attempt.jobId, step);
    if (store.isWanting) await makeHeldCalls(store);
    if (next === undefined || ended.next === undefined) return ended;
    const wanted = store.open(name).jobs.takeWanted();
    if (wanted.length === 0) return ended;
    return { ...ended, next: await claim(name, next).catch(() => undefined) };
  };
  const end: AttemptEnginePort['settle'] = async (name, attempt, ending, next) => {
    if (ending.kind !== 'suspended') {
      return running.small(() => settled(name, attempt, ending, next));
    }
    const suspend = (request: MadeRequest): Promise<Settled> =>
      settled(name, attempt, { ...ending, request }, next);
    return suspending.run<Settled>(name, attempt, ending.request, () => LOST, suspend);
  };
  /**
   * Adds the saved steps of the job, which nobody removes while it is held: they are read after the step of the claim, so
   * that no other step waits for them. At once for a job without steps.
   */
  const withSteps = async (queue: QueueName, attempt: Attempt): Promise<Attempt> => {
    const { jobId, mustFail } = attempt;
    const hasSteps = (store.find(queue)?.jobs.find(jobId)?.lastStep ?? 0) > 0;
    if (mustFail !== undefined || !hasSteps) return attempt;
    // The job may have left the memory since its claim.
    const job = await readJob(store, { queue, id: jobId });
    const listed = job?.steps ?? [];
    if (listed.length === 0) return attempt;
    const read = () => withValues(store, queue, jobId, listed);
    const saved = await (areFew(listed) ? read() : running.largeRead(read));
    return { ...attempt, steps: saved.map(({ name, value }) => ({ name, value })) };
  };
  const claimWithSteps = async (queue: QueueName, claimed: Claim): Promise<Claim> => {
    if (claimed.kind !== 'attempt') return claimed;
    return { kind: 'attempt', attempt: await withSteps(queue, claimed.attempt) };
  };
  const reported = steps.onWhole(
    (queue, now, attempt: AttemptKey, ending: AttemptEnding): ReportOutcome =>
      reportEnding(queue, attempt, ending, now),
    'refused',
  );
  return {
    claim: async (queue, request) => {
      const claimed = await running.small(() => claim(queue, request));
      return request.wantsSteps === true ? claimWithSteps(queue, claimed) : claimed;
    },
    claimBatch: async (queue, request) => {
      const claimed = await running.small(() => claimBatch(queue, request));
      if (request.wantsSteps !== true) return claimed;
      const attempts: Attempt[] = [];
      for (const each of claimed.attempts) attempts.push(await withSteps(queue, each));
      return { ...claimed, attempts };
    },
    settle: async (name, attempt, ending, next) => {
      const outcome = await end(name, attempt, ending, next);
      if (next?.wantsSteps !== true || outcome.next === undefined) return outcome;
      return { ...outcome, next: await claimWithSteps(name, outcome.next).catch(() => undefined) };
    },
    noteCall: steps.on((queue, now, call, duration) => noteCall(queue, call, duration, now)),
    forgetCall: steps.on((queue, _, id) => forgetCall(queue, id)),
    callOf: steps.onKnown(
      ({ record }, _, { token }) => callOfSeveral(record.calls, token),
      undefined,
    ),
    release: steps.on((queue, now, attempt, isUncounted = false, delay = 0) =>
      release(queue, attempt, isUncounted, delay, now),
    ),
    reportEnding: async (name, attempt, ending) => {
      const outcome = await reported(name, attempt, ending);
      if (store.isWanting) await makeHeldCalls(store);
      return outcome;
    },
    reportRelease: steps.onKnown(
      (queue, now, attempt, delay, cost) => reportRelease(queue, attempt, delay, cost, now),
      'refused',
    ),
    holds: steps.onKnown((queue, _, attempt) => holdsJob(queue, attempt), false),
    heldJob: steps.onWhole((queue, _, attempt) => {
      const job = heldJob(queue, attempt);
      return job && shownJob(queue.jobs.whole(job), queue.name);
    }, undefined),
    wasReported: steps.onKnown(
      (queue, now, attempt) => rememberedReport(queue, attempt, now) !== undefined,
      false,
    ),
    extend: steps.onKnown(
      (queue, now, attempt, duration) => extend(queue, attempt, duration, now),
      false,
    ),
    accept: steps.onKnown(
      (queue, now, attempt, duration) => accept(queue, attempt, duration, now),
      false,
    ),
    endCall: steps.onKnown((queue, _, attempt) => endCall(queue, attempt), undefined),
    overdue: async () => {
      const found: OverdueAttempt[] = [];
      let nextAt = Infinity;
      for (const [, queue] of [...store.all()]) {
        const search = await new JobReading(queue).untilAtHand(() => {
          const some = store.run((now) => overdue(queue, store.stalledGrace, now));
          found.push(...some.found);
          return some;
        });
        nextAt = Math.min(nextAt, search.nextAt ?? Infinity);
      }
      return { found, ...(nextAt < Infinity && { nextAt }) };
    },
    renew: async (name, attempts, duration) =>
      store.step(name, (queue, now) =>
        attempts.filter((attempt) => !renew(queue, attempt, duration, now)),
      ),
    reportProgress: steps.onWhole(
      (queue, _, attempt, progress) => reportProgress(queue, attempt, progress),
      false,
    ),
    addLog: steps.onWhole((queue, _, attempt, line) => addLog(queue, attempt, line), false),
    recoverStalled: async (name, maxStalledCount) => {
      const stalled: string[] = [];
      const check = await new JobReading(store.open(name)).untilAtHand(() => {
        const some = store.step(name, (queue, now) =>
          recoverStalled(queue, maxStalledCount, store.stalledGrace, now),
        );
        stalled.push(...some.stalled);
        return some;
      });
      return { ...check, stalled };
    },
    pulledQueues: async () =>
      [...store.all()].flatMap(([name, { record }]) => (record.isPulled ? [name] : [])),
    waitForJobs: (name, until, signal) => store.open(name).waitForJobs(until, signal),
  };
}

function areFew(steps: readonly Step[]): boolean {
  const size = steps.reduce((sum, step) => sum + step.size, 0);
  return steps.length <= MOST_IN_SMALL.jobs && size <= MOST_IN_SMALL.characters;
}

/** To be called in the step of the claim: what the children returned may leave the memory after it. */
function withChildren(store: MemoryStore, queue: QueueName, claimed: Claim): Claim {
  if (claimed.kind !== 'attempt' || claimed.attempt.mustFail !== undefined) return claimed;
  const { jobId } = claimed.attempt;
  if (store.childrenOf(queue, jobId).length === 0) return claimed;
  const children = fittingChildren(store, queue, jobId, MOST_CHILDREN_BYTES);
  return { kind: 'attempt', attempt: { ...claimed.attempt, children } };
}
