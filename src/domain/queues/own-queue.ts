import type { QueueName } from './queue-name.ts';

/*
 * The queues that belong to the service itself: what it sends to others waits in them as jobs do (reach contract,
 * sections 17 and 18). No client can name one, since names of queues have no colon, and no list contains one.
 */

const OWN = ':jobgate:';
/** What the name of the queue of a hook begins with. */
export const OF_HOOK = `${OWN}hook.`;

/** The queue of the calls that follow jobs with a callback to a URL. */
export const CALLBACK_QUEUE = `${OWN}callbacks` as QueueName;

/** What the names of the queues of calls that are held back begin with. */
export const OF_HELD = `${OWN}held.`;

/** The queue of the tasks that move messages from one queue to another. */
export const MOVE_QUEUE = `${OWN}moves` as QueueName;

/** The queue that remembers the messages of topics. It has no jobs. */
export const TOPIC_QUEUE = `${OWN}topics` as QueueName;

/** The queue of what a hook sends. */
export function queueOfHook(hook: string): QueueName {
  return `${OF_HOOK}${hook}` as QueueName;
}

/** The queue of the calls after jobs of a queue that wait for room in that of all calls. */
export function queueOfHeld(queue: string): QueueName {
  return `${OF_HELD}${queue}` as QueueName;
}

/** The hook whose messages a queue has; undefined for any other queue. */
export function hookOfQueue(queue: QueueName): string | undefined {
  return queue.startsWith(OF_HOOK) ? queue.slice(OF_HOOK.length) : undefined;
}

/** Whether the queue belongs to the service itself. */
export function isOwnQueue(queue: string): boolean {
  return queue.startsWith(OWN);
}
