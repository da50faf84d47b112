import { joinedDefaults, type GroupDefaults } from '../../domain/groups/group-settings.ts';
import { isPushWorker } from '../../domain/messages/push-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { PoliciesInForce } from './policies.ts';

const NO_DEFAULTS: GroupDefaults = {};

/** One object for the same settings, since claims are made together only for the same one. */
const withFlows = new WeakMap<GroupDefaults, GroupDefaults>();

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
