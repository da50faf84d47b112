import { joinedDefaults, type GroupDefaults } from '../../domain/groups/group-settings.ts';
import { checkOrdered } from '../../domain/groups/ordered-jobs.ts';
import { isPushWorker } from '../../domain/messages/push-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AddedByStep } from '../../domain/steps/suspension-request.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import type { PoliciesInForce } from './policies.ts';

interface GroupParts {
  readonly policies: Pick<PoliciesInForce, 'of'>;
  readonly workers: WorkersInForce;
}

const NO_DEFAULTS: GroupDefaults = {};

/** One object for the same settings, since claims are made together only for the same one. */
const withFlows = new WeakMap<GroupDefaults, GroupDefaults>();

/**
 * The default settings of groups, by queue, for the queues that get jobs with groups.
 *
 * @param pathOf the options of the job at a position, for errors.
 * @throws DomainError `invalid-request` for a job that may not belong to an ordered group.
 */
export async function groupsOfJobs(
  jobs: readonly AddedByStep[],
  pathOf: (position: number) => string,
  { policies, workers }: GroupParts,
): Promise<ReadonlyMap<QueueName, GroupDefaults | undefined>> {
  const groups = new Map<QueueName, GroupDefaults | undefined>();
  for (const [position, { queue, job }] of jobs.entries()) {
    if (job.opts.group === undefined) continue;
    if (!groups.has(queue)) {
      groups.set(queue, groupDefaults(queue, await workers.workerOf(queue), policies));
    }
    checkOrdered(job.opts, groups.get(queue), pathOf(position));
  }
  return groups;
}

/** The default settings for groups of a queue, from its policy and its worker. Those of pushed messages share limits. */
export function groupDefaults(
  queue: QueueName,
  worker: Pick<Worker, 'endpoint' | 'opts'> | undefined,
  policies: Pick<PoliciesInForce, 'of'>,
): GroupDefaults | undefined {
  const defaults = joinedDefaults(worker?.opts?.groups, policies.of(queue)?.groups);
  if (worker === undefined || !isPushWorker(worker)) return defaults;
  return keptOrMade(withFlows, defaults ?? NO_DEFAULTS, (given) => ({ ...given, hasFlows: true }));
}
