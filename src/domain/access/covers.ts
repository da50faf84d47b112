import type { Access, Caller } from './caller.ts';
import { coversQueues } from './queue-patterns.ts';

/**
 * Whether a caller has every permission of an access: it can grant no more than it has (platform contract, section 11).
 * Queue patterns are compared as patterns; when that cannot decide, the answer is no. Each pattern of the access is
 * compared once with each of the caller.
 */
export function covers(caller: Caller, { rights, queues }: Access): boolean {
  return rights.every((right) => caller.may(right)) && coversQueues(caller.queues, queues);
}
