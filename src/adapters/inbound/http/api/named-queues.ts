import { requirePatterns } from '../../../../application/operations/erasure-operations.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import { isObject } from '../../../../domain/values/json.ts';
import { requireQueues } from './body-parsing.ts';

/*
 * The queues that bodies name, even bodies with mistakes. All throw a DomainError `forbidden` for a queue that the
 * caller may not use.
 */

/** The queue of a worker or a subscription. */
export function checkOneQueue(body: unknown, caller: Caller): void {
  if (isObject(body)) requireQueues([body['queue']], caller);
}

export function checkQueuesOfErasure(erasure: unknown, caller: Caller): void {
  if (!isObject(erasure)) return;
  const { filter, queues } = erasure;
  if (isObject(filter)) requireQueues([filter['queue']], caller);
  if (Array.isArray(queues)) {
    requirePatterns(
      caller,
      queues.filter((each) => typeof each === 'string'),
    );
  }
}

export function checkQueuesOfFlow(flow: unknown, caller: Caller): void {
  requireQueues(queuesIn(flow), caller);
}

/** The queues of everything that may be a job of a flow. */
function* queuesIn(flow: unknown): Generator {
  const rest: unknown[] = [flow];
  while (rest.length > 0) {
    const job = rest.pop();
    if (!isObject(job)) continue;
    yield job['queue'];
    if (Array.isArray(job['children'])) rest.push(...(job['children'] as readonly unknown[]));
  }
}
