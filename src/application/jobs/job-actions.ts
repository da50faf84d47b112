import { existing } from '../../domain/errors.ts';
import { checkOrdered, isOrdered } from '../../domain/groups/ordered-jobs.ts';
import { checkDone, type ActionOutcome } from '../../domain/jobs/job-actions.ts';
import { jobCancelling, type JobCancellationInput } from '../../domain/jobs/job-cancellation.ts';
import { jobChange, type JobChange } from '../../domain/jobs/job-change.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import { jobRetry, type JobRetryInput } from '../../domain/jobs/job-retry.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { FamilyCancelling, type FamilyCancellingDependencies } from '../flows/family-cancelling.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import { onceChanged } from '../running/once-changed.ts';
import { wakingCancellation } from './waking-cancellation.ts';

export interface JobActionsDependencies extends FamilyCancellingDependencies {
  readonly queues: QueuePort;
  readonly policies: PoliciesInForce;
}

/**
 * The operations on single jobs. Every method throws DomainError `job-not-found`, or `job-conflict` when the state of
 * the job does not allow it.
 */
export class JobActions {
  readonly #control: JobControlPort;
  readonly #queues: QueuePort;
  readonly #workers: KeptWorkers;
  readonly #policies: PoliciesInForce;
  readonly #signals: ReplicaSignalsPort;
  readonly #observer: AttemptObserver;
  readonly #families: FamilyCancelling;

  constructor(dependencies: JobActionsDependencies) {
    this.#control = dependencies.control;
    this.#queues = dependencies.queues;
    this.#workers = dependencies.workers;
    this.#policies = dependencies.policies;
    this.#signals = dependencies.signals;
    this.#observer = dependencies.observer;
    this.#families = new FamilyCancelling(dependencies);
  }

  async remove(queue: QueueName, jobId: string): Promise<void> {
    checkDone(await this.#unlessReserved(jobId, () => this.#control.remove(queue, jobId)));
  }

  async promote(queue: QueueName, jobId: string): Promise<void> {
    checkDone(await this.#unlessReserved(jobId, () => this.#control.promote(queue, jobId)));
  }

  /** @throws DomainError `invalid-request` too, naming the field. */
  async retry(queue: QueueName, jobId: string, input: JobRetryInput): Promise<void> {
    const retry = jobRetry(input);
    await this.#checkPriority(queue, jobId, retry.opts?.priority, 'opts');
    checkDone(await this.#unlessReserved(jobId, () => this.#control.retry(queue, jobId, retry)));
  }

  /** @throws DomainError `invalid-request` too, naming the field. */
  async cancel(queue: QueueName, jobId: string, input: JobCancellationInput): Promise<void> {
    const { reason, children } = jobCancelling(input);
    const cancel = (): Promise<ActionOutcome> =>
      children
        ? this.#families.cancel({ queue, id: jobId }, reason)
        : this.#cancelAlone(queue, jobId, reason);
    checkDone(await this.#unlessReserved(jobId, cancel));
  }

  /**
   * @returns the job as it is after the change.
   * @throws DomainError `invalid-request` too, naming the field.
   */
  async change(queue: QueueName, jobId: string, input: JobChange): Promise<Job> {
    const change = jobChange(input);
    await this.#checkPriority(queue, jobId, change.priority, '');
    checkDone(await this.#unlessReserved(jobId, () => this.#control.change(queue, jobId, change)));
    return existing(await onceChanged(this.#queues.find(queue, jobId)), 'job');
  }

  /** Jobs of ordered groups start in the order in which they were added, so none may get another priority. */
  async #checkPriority(
    queue: QueueName,
    jobId: string,
    priority: number | undefined,
    path: string,
  ): Promise<void> {
    if (priority === undefined || priority === 0 || isReservedJobId(jobId)) return;
    if (!this.#policies.areKnown) await this.#policies.known();
    const worker = await this.#workers.find(queue);
    const groups = groupDefaults(queue, worker, this.#policies);
    if (isOrdered(groups)) {
      const job = await this.#queues.find(queue, jobId);
      checkOrdered({ group: job?.opts.group, priority }, groups, path);
    }
  }

  async #cancelAlone(queue: QueueName, jobId: string, reason: string): Promise<ActionOutcome> {
    const worker = await this.#workers.find(queue);
    const cancellation = { reason, keep: worker?.opts?.removeOnFail };
    const outcome = await wakingCancellation(this.#signals, { queue, jobId }, () =>
      this.#control.cancel(queue, jobId, cancellation),
    );
    if (outcome.kind === 'done') {
      this.#observer.observe({ kind: 'failed', queue, jobs: [{ id: jobId, reason }] });
    }
    return outcome;
  }

  /** Reports a reserved id as missing: a store may keep something other than a job under it. */
  #unlessReserved(jobId: string, act: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
    return isReservedJobId(jobId) ? Promise.resolve({ kind: 'missing' }) : act();
  }
}
