import { joinedDefaults, type GroupDefaults } from '../../domain/groups/group-settings.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { PoliciesInForce } from './policies.ts';

/** The default settings for groups of a queue, from its policy and its worker. */
export function groupDefaults(
  queue: QueueName,
  worker: Pick<Worker, 'opts'> | undefined,
  policies: Pick<PoliciesInForce, 'of'>,
): GroupDefaults | undefined {
  return joinedDefaults(worker?.opts?.groups, policies.of(queue)?.groups);
}
