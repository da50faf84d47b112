import { randomUUID } from 'node:crypto';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { BreakerMove, Verdict } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type {
  AddedByStep,
  SuspensionRefusal,
  SuspensionRequest,
} from '../../../../domain/steps/suspension-request.ts';
import {
  jobsOfSteps,
  refusalByRoom,
  type JobOfStep,
} from '../../../../domain/transitions/suspend.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { lackingRoom, queuesOf, queueTerms } from '../flows/adding-to-queues.ts';
import { placeOf } from '../jobs/job-place.ts';
import { hashOf } from '../jobs/staged-adding.ts';
import { StagedJobs, type StagedKey } from '../jobs/staged-jobs.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { suspend, type Suspended } from '../scripts/attempts.ts';

/** The most characters of jobs to add that the step itself stores. */
const MOST_AT_ONCE = 262_144;

/** How an attempt is suspended. */
export interface SuspendingTerms {
  readonly request: SuspensionRequest;
  /** Its record as `endedCall` writes it; empty if there is none. */
  readonly line: string;
  readonly verdict?: Verdict | undefined;
  /** Whether its holder reports it: the report is remembered. */
  readonly isReported: boolean;
  /** What its start counted in limiters, if it was reported. */
  readonly cost?: number | undefined;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * What became of a suspension: nothing since the attempt had lost its job or the same report did it before, nothing for
 * a reason, or how it moved the breaker.
 */
type SuspensionOutcome =
  | 'lost'
  | 'repeated'
  | { readonly refusal: SuspensionRefusal }
  | { readonly refusal?: never; readonly breaker?: BreakerMove };

/**
 * Suspends the job that an attempt holds, or changes nothing. If the store does not answer in time, it does not make the
 * change later either. Large jobs that it adds are staged (docs/adr/0031).
 */
export async function suspendJob(
  store: StoreCommands,
  queue: QueueName,
  attempt: AttemptKey,
  terms: SuspendingTerms,
): Promise<SuspensionOutcome> {
  const { isLarge, request } = requestOf(terms);
  const jobs = jobsOfSteps(request);
  const run = async (staged?: StagedJobs): Promise<Suspended> => {
    const [args, rest] = argumentsOf(attempt, { ...terms, request }, jobs, staged);
    return callInTime(store, suspend, store.keysOf(queue), args, 'a suspension', rest);
  };
  if (!isLarge) return outcomeOf(await run(), jobs, request);
  const queueKey = `${store.prefix}:${queue}`;
  const key = `${queueKey}:${attempt.jobId}`;
  const stored = JSON.stringify({ id: attempt.jobId, queueKey, idof: true });
  const hashes = jobs.map(({ queue: to, id, job }): StagedKey => {
    const args = hashOf({ job, parent: { position: 0, key, stored } }, '', terms.now);
    return { key: `${store.prefix}:${to}:${id}`, command: 'HSET', args };
  });
  return outcomeOf(await runStaged(store, hashes, run), jobs, request);
}

/**
 * Whether the jobs to add are large. Their ids are then new in each try: an earlier one, whose answer was lost, may have
 * made its jobs visible, and nothing may be staged in their place.
 */
function requestOf({ request }: SuspendingTerms): {
  readonly isLarge: boolean;
  readonly request: SuspensionRequest;
} {
  const jobs = request.added.flatMap((each) => each.jobs);
  const size = jobs.reduce((sum, { job }) => sum + jsonText(job.data).length, 0);
  if (size <= MOST_AT_ONCE) return { isLarge: false, request };
  return { isLarge: true, request: { ...request, id: randomUUID() } };
}

/** Runs the step once the hashes of its jobs are there. */
async function runStaged(
  store: StoreCommands,
  hashes: readonly StagedKey[],
  run: (staged: StagedJobs) => Promise<Suspended>,
): Promise<Suspended> {
  const staged = await StagedJobs.begin(store, undefined, 0);
  try {
    await staged.store(hashes);
    const answer = await run(staged);
    if (answer[0] !== 'suspended') staged.discard();
    return answer;
  } catch (error) {
    staged.discard();
    throw error;
  }
}

function outcomeOf(
  answer: Suspended,
  jobs: readonly JobOfStep[],
  { maxWaiting }: SuspensionRequest,
): SuspensionOutcome {
  switch (answer[0]) {
    case 'lost':
    case 'repeated':
      return answer[0];
    case 'full':
      return { refusal: refusalByRoom(lackingRoom(answer, jobs), jobs, maxWaiting) };
    case 'refused':
      return { refusal: { reason: answer[1], isFinal: answer[2] === 1 } };
    case 'suspended':
      return answer[1] === '' ? {} : { breaker: answer[1] };
  }
}

function argumentsOf(
  { jobId, token }: AttemptKey,
  { request, line, verdict, cost, isReported, now }: SuspendingTerms,
  jobs: readonly JobOfStep[],
  staged: StagedJobs | undefined,
) {
  const { id, steps, sleeps, signals, added, maxWaiting, maxWaitingOfGroup } = request;
  const queues = queuesOf(jobs);
  const counts = added.map((each) => ({ name: each.name, count: each.jobs.length }));
  const args = {
    timestamp: now,
    token,
    id: jobId,
    call: line,
    verdict: verdict === undefined ? '' : JSON.stringify(verdict),
    cost,
    isReported,
    request: JSON.stringify({ id, sleeps, signals, added: counts }),
    stepCount: steps.length,
    terms: queueTerms(queues, {
      maxWaiting: (each) => maxWaiting.get(each),
      maxWaitingOfGroup: (each) => maxWaitingOfGroup?.get(each),
    }),
    stagedName: staged?.name ?? '',
  };
  const rest = [
    ...steps.flatMap(({ name, value }) => [name, value]),
    ...jobs.flatMap((each) => addedArguments(each, queues, staged !== undefined)),
  ];
  return [args, rest] as const;
}

function addedArguments(
  { queue, job }: AddedByStep,
  queues: readonly QueueName[],
  isStaged: boolean,
): readonly ScriptArgument[] {
  const { name, data, opts } = job;
  const payload = isStaged ? ['', ''] : [jsonText(data), storedOptions(opts)];
  return [queues.indexOf(queue) + 1, placeOf(opts), name, ...payload];
}
