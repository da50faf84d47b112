import { DomainError } from '../../domain/errors.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { excessOf } from '../../domain/steps/step.ts';
import {
  NO_NEW_STEP,
  suspendAnswerShape,
  suspensionOf,
} from '../../domain/steps/suspend-answer.ts';
import type {
  SuspensionRefusal,
  SuspensionRequest,
} from '../../domain/steps/suspension-request.ts';
import { jobsOfSteps } from '../../domain/transitions/suspend.ts';
import { parsedJson } from '../../domain/values/json.ts';
import { sizeInBytes } from '../../domain/values/text.ts';
import type { CalledOptions } from '../destinations/called-options.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import { groupsOfJobs } from '../policies/group-defaults.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
/**
 * Reads what an answer saves and awaits. @param body parsed.
 *
 * @throws DomainError `invalid-request` with what is wrong, or `request-too-large`.
 */
export type ReadSuspension = (queue: QueueName, body: unknown) => Promise<SuspensionRequest>;

export interface SuspensionDependencies extends Pick<CommonPorts, 'tokens' | 'queueName'> {
  readonly policies: Pick<PoliciesInForce, 'areKnown' | 'known' | 'of'>;
  readonly workers: WorkersInForce;
  readonly calledOptions: Pick<CalledOptions, 'prepared'>;
}

/** Reads answers that suspend jobs, by the policies in force (further contract, section 22). */
export function suspensionReader({
  policies,
  workers,
  calledOptions,
  tokens,
  queueName,
}: SuspensionDependencies): ReadSuspension {
  const shape = suspendAnswerShape(queueName);
  return async (queue, body) => {
    if (!policies.areKnown) await policies.known();
    const request = suspensionOf(body, shape, tokens.draw(), queue, (each) => policies.of(each));
    if (request.added.length === 0) return request;
    const all = jobsOfSteps(request);
    const groups = await groupsOfJobs(all, (at) => all[at]?.path ?? '', { policies, workers });
    return {
      ...request,
      added: request.added.map(({ name, jobs }) => ({
        name,
        jobs: jobs.map(({ queue: to, job }, index) => {
          const opts = calledOptions.prepared(to, job.opts, `add.${name}[${index}].opts`);
          return { queue: to, job: { ...job, opts } };
        }),
      })),
      maxWaitingOfGroup: new Map(
        [...groups].flatMap(([to, { maxWaiting } = {}]) =>
          maxWaiting === undefined ? [] : [[to, maxWaiting] as const],
        ),
      ),
    };
  };
}

/** Returns the mistake in an answer to the first call of a job, as a sentence; undefined when it suspends the job. */
export async function mistakeInFirst(
  read: ReadSuspension,
  queue: QueueName,
  text: string,
): Promise<string | undefined> {
  try {
    const { steps, sleeps, signals, added } = await read(queue, parsedJson(text));
    if ([steps, sleeps, signals, added].every(({ length }) => length === 0)) return NO_NEW_STEP;
    return excessOf(steps.map(({ name, value }) => ({ name, size: sizeInBytes(value) })));
  } catch (error) {
    return refusalOf(error).reason;
  }
}

/** Why an answer that is wrong does not suspend its job. @throws any other error. */
export function refusalOf(error: unknown): SuspensionRefusal {
  const isFinal = error instanceof DomainError && error.code === 'request-too-large';
  if (!isFinal && !(error instanceof DomainError && error.code === 'invalid-request')) throw error;
  return { reason: error.message, isFinal };
}
