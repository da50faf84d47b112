import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import { existing, invalidRequest, notFound, requestTooLarge } from '../../domain/errors.ts';
import { checkDone } from '../../domain/jobs/job-actions.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { suspendedJson, type Suspended } from '../../domain/steps/awaited.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { stepNameShape } from '../../domain/steps/step.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { Json } from '../../domain/values/json.ts';
import { wrongJobToken } from '../attempts/wrong-job-token.ts';
import type { SavedStep } from '../ports/step-port.ts';
import type { ReadSuspension } from './suspensions.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

export interface JobStepsDependencies extends Pick<CommonPorts, 'steps' | 'holders' | 'observer'> {
  readonly suspensions: ReadSuspension;
}

/** The steps of jobs (further contract, section 22). */
export class JobSteps {
  readonly #dependencies: JobStepsDependencies;

  constructor(dependencies: JobStepsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The steps of a job by time.
   *
   * @param token of the attempt that holds the job, of a caller that has no other.
   * @throws DomainError `job-not-found`, or `unauthorized` for a token that does not hold the job.
   */
  async list(queue: QueueName, jobId: string, token?: string): Promise<readonly SavedStep[]> {
    const isReserved = isReservedJobId(jobId);
    const isHeld =
      token === undefined ||
      (!isReserved && (await this.#dependencies.holders.holds(queue, { jobId, token })));
    if (!isHeld) throw wrongJobToken();
    return existing(
      isReserved ? undefined : await this.#dependencies.steps.list(queue, jobId),
      'job',
    );
  }

  /** What a job still awaits that is suspended; null for any other. */
  async suspended(
    queue: QueueName,
    { id, state }: Pick<Job, 'id' | 'state'>,
  ): Promise<Suspended | null> {
    if (state !== 'delayed' && state !== 'waiting-children') return null;
    const awaited = await this.#dependencies.steps.awaited(queue, id);
    return awaited === undefined ? null : suspendedJson(awaited);
  }

  /**
   * Saves a step of the job that an attempt holds. The first value of a name stays.
   *
   * @throws DomainError `invalid-request`, `unauthorized`, or `request-too-large` beyond a bound.
   */
  async save(queue: QueueName, attempt: AttemptKey, name: string, value: Json) {
    checkShape(stepNameShape, name, 'step');
    const step = { name, value: JSON.stringify(value) };
    const saved = isReservedJobId(attempt.jobId)
      ? ({ kind: 'refused' } as const)
      : await this.#dependencies.steps.save(queue, attempt, step);
    if (saved.kind === 'refused') throw wrongJobToken();
    if (saved.kind === 'too-much') throw requestTooLarge(saved.excess);
    if (saved.kind === 'saved') this.#noteSaved(queue, 1);
    return saved;
  }

  /**
   * Suspends a job by a report of its holder, which may be repeated for REPORT_MEMORY.
   *
   * @throws DomainError `invalid-request` with what is wrong, `unauthorized`, or `request-too-large` beyond a bound: the
   * job stays held then.
   * @param cost what its start counted in limiters, if the call says so; the body goes before it.
   */
  async suspend(queue: QueueName, attempt: AttemptKey, body: Json, cost?: number): Promise<void> {
    if (isReservedJobId(attempt.jobId)) throw wrongJobToken();
    const request = await this.#dependencies.suspensions(queue, body);
    const counted = { ...request, cost: request.cost ?? cost };
    const outcome = await this.#dependencies.steps.suspend(queue, attempt, counted);
    if (outcome === 'refused') throw wrongJobToken();
    if (outcome === 'recorded') this.#noteSaved(queue, request.steps.length);
    if (typeof outcome === 'string') return;
    throw outcome.isFinal ? requestTooLarge(outcome.reason) : invalidRequest(outcome.reason);
  }

  /** @throws DomainError `job-not-found`, `step-not-found`, or `job-conflict` while the job is active. */
  async remove(queue: QueueName, jobId: string, name?: string): Promise<void> {
    if (isReservedJobId(jobId)) throw notFound('job');
    const outcome = await this.#dependencies.steps.remove(queue, jobId, name);
    if (outcome.kind === 'missing' && name !== undefined) throw notFound('step');
    checkDone(outcome);
  }

  #noteSaved(queue: QueueName, steps: number): void {
    this.#dependencies.observer.observe({ kind: 'steps-saved', queue, steps });
  }
}
