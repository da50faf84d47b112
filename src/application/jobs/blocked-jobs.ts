import type { GroupStanding } from '../../domain/groups/group.ts';
import type { JobSummary } from '../../domain/jobs/job-summary.ts';
import { DomainError } from '../../domain/errors.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { awaitedInWords } from '../../domain/steps/awaited.ts';
import { latestEnd } from '../../domain/steps/suspension.ts';
import { blockedFor, type Blocked } from '../../domain/workers/blocked.ts';
import {
  jobBlockedBy,
  parentBlockedBy,
  type JobInTheWay,
} from '../../domain/workers/blocked-job.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { StepPort } from '../ports/step-port.ts';
import type { GroupStorePort } from '../ports/group-store-port.ts';
import { standingsOf, type StandingPorts } from '../queues/standings-of.ts';
import type { QueueView } from '../queues/queue-view.ts';
import type { Jobs } from './jobs.ts';

export interface BlockedJobsDependencies extends StandingPorts {
  readonly jobs: Pick<Jobs, 'readSummary'>;
  readonly view: QueueView;
  readonly groups: GroupStorePort;
  readonly policies: PoliciesInForce;
  readonly steps: StepPort;
}

/** Finds why a single job does not start, through its queue, its group and the jobs that it waits for. */
export class BlockedJobs {
  readonly #dependencies: BlockedJobsDependencies;

  constructor(dependencies: BlockedJobsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The reason; undefined when the job starts in its turn, runs or has ended.
   *
   * @param mayUse which queues the caller may see; all by default.
   * @throws DomainError `job-not-found`.
   */
  async reason(
    queue: QueueName,
    jobId: string,
    mayUse?: (queue: string) => boolean,
  ): Promise<Blocked | undefined> {
    const job = await this.#dependencies.jobs.readSummary(queue, jobId);
    const suspended = await this.#suspended(queue, job);
    if (suspended !== undefined) return suspended;
    if (job.state !== 'waiting-children') return this.#ofJob(queue, job);
    const awaited = await this.#dependencies.standings.awaitedJob(queue, jobId);
    if (awaited === undefined) return parentBlockedBy(undefined);
    if (awaited.isFailed) {
      const failed = { ...awaited, state: 'failed', blocked: undefined } as const;
      return blockedFor(parentBlockedBy(failed), mayUse);
    }
    const isVisible = mayUse?.(awaited.queue) ?? true;
    return parentBlockedBy(isVisible ? await this.#inTheWay(awaited.queue, awaited.id) : undefined);
  }

  async #suspended(queue: QueueName, { id, state }: JobSummary): Promise<Blocked | undefined> {
    if (state !== 'delayed' && state !== 'waiting-children') return undefined;
    const awaited = await this.#dependencies.steps.awaited(queue, id);
    if (awaited === undefined) return undefined;
    const until = latestEnd(awaited.waits);
    const detail = awaitedInWords(awaited);
    return { reason: 'suspended', ...(until !== undefined && { until }), detail };
  }

  async #inTheWay(queue: QueueName, id: string): Promise<JobInTheWay> {
    const job = await this.#summary(queue, id);
    const blocked = job && (await this.#ofJob(queue, job));
    return { queue, id, isFailed: false, state: job?.state, blocked };
  }

  async #summary(queue: QueueName, id: string): Promise<JobSummary | undefined> {
    try {
      return await this.#dependencies.jobs.readSummary(queue, id);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'job-not-found') return undefined;
      throw error;
    }
  }

  async #ofJob(queue: QueueName, job: JobSummary): Promise<Blocked | undefined> {
    const { view } = this.#dependencies;
    const [viewed] = await view.of([queue]);
    if (viewed === undefined) return undefined;
    const { glance, worker } = viewed;
    const [[standing], group] = await Promise.all([
      standingsOf(this.#dependencies, [viewed]),
      this.#groupOf(queue, job, worker),
    ]);
    if (standing === undefined) return undefined;
    return jobBlockedBy({ ...job, queue }, { queue: glance, standing, worker, group });
  }

  #groupOf(
    queue: QueueName,
    { group }: JobSummary,
    worker: Worker | undefined,
  ): Promise<GroupStanding | undefined> | undefined {
    if (group === null) return undefined;
    const { groups, policies } = this.#dependencies;
    return groups.find(queue, group, groupDefaults(queue, worker, policies));
  }
}
