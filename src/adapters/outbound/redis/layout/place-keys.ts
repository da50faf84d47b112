import type { QueueKeys } from './queue-keys.ts';

/**
 * The keys of the statuses, in their order. Waiting jobs have two keys: an older BullMQ moved them to pause a queue.
 */
export function statusKeys(keys: QueueKeys): readonly string[] {
  return [
    keys.active,
    keys.wait,
    keys.paused,
    keys.prioritized,
    keys.delayed,
    keys.completed,
    keys.failed,
  ];
}

/** The keys of all places where jobs are: those of the statuses, and that of jobs that wait for their children. */
export function placeKeys(keys: QueueKeys): readonly string[] {
  return [...statusKeys(keys), keys.waitingChildren];
}
