import { queueFull } from '../../../../domain/errors.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { BreakerMove, Verdict } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type {
  AddedByStep,
  SuspensionRefusal,
  SuspensionRequest,
} from '../../../../domain/steps/suspension-request.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { placeOf } from '../jobs/job-place.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { suspend, type Suspended } from '../scripts/attempts.ts';

/** How an attempt is suspended. */
export interface SuspendingTerms {
  readonly request: SuspensionRequest;
  /** Its record as `endedCall` writes it; empty if there is none. */
  readonly line: string;
  readonly verdict?: Verdict | undefined;
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

/** Suspends the job that an attempt holds, or changes nothing. */
export async function suspendJob(
  store: StoreCommands,
  queue: QueueName,
  attempt: AttemptKey,
  terms: SuspendingTerms,
): Promise<SuspensionOutcome> {
  const [args, rest] = argumentsOf(attempt, terms);
  const now = { ...args, isReported: false, deadline: '' };
  return outcomeOf(await store.callOf(queue, suspend, now, rest));
}

/**
 * The same by a report of the holder, which is remembered. If the store does not answer in time, it does not make the
 * change later either.
 */
export async function suspendByReport(
  store: StoreCommands,
  queue: QueueName,
  attempt: AttemptKey,
  terms: SuspendingTerms,
): Promise<SuspensionOutcome> {
  const [args, rest] = argumentsOf(attempt, terms);
  const keys = store.keysOf(queue);
  const reported = { ...args, isReported: true };
  return outcomeOf(await callInTime(store, suspend, keys, reported, 'a suspension', rest));
}

function outcomeOf(answer: Suspended): SuspensionOutcome {
  switch (answer[0]) {
    case 'lost':
    case 'repeated':
      return answer[0];
    case 'full':
      return { refusal: { reason: queueFull(answer[1]).message, isFinal: false } };
    case 'refused':
      return { refusal: { reason: answer[1], isFinal: answer[2] === 1 } };
    case 'suspended':
      return answer[1] === '' ? {} : { breaker: answer[1] };
  }
}

function argumentsOf({ jobId, token }: AttemptKey, terms: SuspendingTerms) {
  const { request, line, verdict, cost, now } = terms;
  const { id, steps, sleeps, signals, added, maxWaiting } = request;
  const queues = [...new Set(added.flatMap(({ jobs }) => jobs.map(({ queue }) => queue)))];
  const counts = added.map(({ name, jobs }) => ({ name, count: jobs.length }));
  const args = {
    timestamp: now,
    token,
    id: jobId,
    call: line,
    verdict: verdict === undefined ? '' : JSON.stringify(verdict),
    cost,
    request: JSON.stringify({ id, sleeps, signals, added: counts }),
    stepCount: steps.length,
    queueCount: queues.length,
  };
  const rest = [
    ...steps.flatMap(({ name, value }) => [name, value]),
    ...queues.flatMap((each) => [each, maxWaiting.get(each) ?? '']),
    ...added.flatMap(({ jobs }) => jobs.flatMap((each) => addedArguments(each, queues))),
  ];
  return [args, rest] as const;
}

/** The failure of a job that a step adds is a result of the step. */
function addedArguments(
  { queue, job }: AddedByStep,
  queues: readonly QueueName[],
): readonly ScriptArgument[] {
  const { name, data, opts } = job;
  const stored = storedOptions({ ...opts, ignoreDependencyOnFailure: true });
  return [queues.indexOf(queue) + 1, placeOf(opts), name, jsonText(data), stored];
}
