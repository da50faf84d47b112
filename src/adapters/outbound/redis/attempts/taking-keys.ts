import type { QueueKeys } from '../layout/queue-keys.ts';

/** The first keys of BullMQ's scripts that take a job, in its order. */
export function takingKeys(keys: QueueKeys): readonly string[] {
  return [
    keys.wait,
    keys.active,
    keys.prioritized,
    keys.events,
    keys.stalled,
    keys.limiter,
    keys.delayed,
    keys.paused,
    keys.meta,
    keys.priorityCounter,
  ];
}
