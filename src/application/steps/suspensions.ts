import { DomainError } from '../../domain/errors.ts';
import type { GroupDefaults } from '../../domain/groups/group-settings.ts';
import { checkOrdered } from '../../domain/groups/ordered-jobs.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { excessOf } from '../../domain/steps/step.ts';
import {
  NO_NEW_STEP,
  suspendAnswerShape,
  suspensionOf,
} from '../../domain/steps/suspend-answer.ts';
import type {
  AddedByStep,
  SuspensionRefusal,
  SuspensionRequest,
} from '../../domain/steps/suspension-request.ts';
import { parsedJson } from '../../domain/values/json.ts';
import { sizeInBytes } from '../../domain/values/text.ts';
import type { CalledOptions } from '../destinations/called-options.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
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
  /** The settings of groups in the queues that get jobs of groups. */
  const groupsOf = async (jobs: readonly AddedByStep[]) => {
    const found = new Map<QueueName, GroupDefaults | undefined>();
    for (const { queue, job } of jobs) {
      if (job.opts.group === undefined || found.has(queue)) continue;
      found.set(queue, groupDefaults(queue, await workers.workerOf(queue), policies));
    }
    return found;
  };
  return async (queue, body) => {
    if (!policies.areKnown) await policies.known();
    const request = suspensionOf(body, shape, tokens.draw(), queue, (each) => policies.of(each));
    const groups = await groupsOf(request.added.flatMap(({ jobs }) => jobs));
    /** A job as it is stored. @param path of its options. */
    const prepared = ({ queue: to, job }: AddedByStep, path: string): AddedByStep => {
      checkOrdered(job.opts, groups.get(to), path);
      return { queue: to, job: { ...job, opts: calledOptions.prepared(to, job.opts, path) } };
    };
    return {
      ...request,
      added: request.added.map(({ name, jobs }) => ({
        name,
        jobs: jobs.map((each, index) => prepared(each, `add.${name}[${index}].opts`)),
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
