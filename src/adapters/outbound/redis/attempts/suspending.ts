import { queueFull } from '../../../../domain/errors.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { BreakerMove, Verdict } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { AddedByStep } from '../../../../domain/steps/suspend-answer.ts';
import type {
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
  /** Epoch ms. */
  readonly now: number;
}

/** Suspends the job that an attempt holds, or changes nothing. */
export function suspendJob(
  store: StoreCommands,
  queue: QueueName,
  attempt: AttemptKey,
  terms: SuspendingTerms,
): Promise<Suspended> {
  const [args, rest] = argumentsOf(attempt, terms);
  return store.callOf(queue, suspend, { ...args, isReported: false, deadline: '' }, rest);
}

/**
 * The same by a report of the holder, which is remembered. If the store does not answer in time, it does not make the
 * change later either.
 */
export function suspendByReport(
  store: StoreCommands,
  queue: QueueName,
  attempt: AttemptKey,
  terms: SuspendingTerms,
): Promise<Suspended> {
  const [args, rest] = argumentsOf(attempt, terms);
  const keys = store.keysOf(queue);
  return callInTime(store, suspend, keys, { ...args, isReported: true }, 'a suspension', rest);
}

/** Why a job is not suspended; undefined when it is. */
export function refusalIn(answer: Suspended): SuspensionRefusal | undefined {
  if (answer[0] === 'full') return { reason: queueFull(answer[1]).message, isFinal: false };
  return answer[0] === 'refused' ? { reason: answer[1], isFinal: answer[2] === 1 } : undefined;
}

function argumentsOf({ jobId, token }: AttemptKey, terms: SuspendingTerms) {
  const { request, line, verdict, now } = terms;
  const { id, steps, sleeps, signals, added, maxWaiting } = request;
  const queues = [...new Set(added.flatMap(({ jobs }) => jobs.map(({ queue }) => queue)))];
  const counts = added.map(({ name, jobs }) => ({ name, count: jobs.length }));
  const args = {
    timestamp: now,
    token,
    id: jobId,
    call: line,
    verdict: verdict === undefined ? '' : JSON.stringify(verdict),
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

/** Whether the breaker moved. */
export function isMove(move: BreakerMove | ''): move is BreakerMove {
  return move !== '';
}
