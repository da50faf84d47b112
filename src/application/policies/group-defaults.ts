import { joinedDefaults, type GroupDefaults } from '../../domain/groups/group-settings.ts';
import { isPushWorker } from '../../domain/messages/push-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { PoliciesInForce } from './policies.ts';

/** The default settings for groups of a queue, from its policy and its worker. Those of pushed messages share limits. */
export function groupDefaults(
  queue: QueueName,
  worker: Pick<Worker, 'endpoint' | 'opts'> | undefined,
  policies: Pick<PoliciesInForce, 'of'>,
): GroupDefaults | undefined {
  const defaults = joinedDefaults(worker?.opts?.groups, policies.of(queue)?.groups);
  return worker !== undefined && isPushWorker(worker) ? { ...defaults, hasFlows: true } : defaults;
}
