import type { QueueName } from '../queues/queue-name.ts';

/** The queue of messages that are published to no queue. */
export const PUSH_QUEUE = 'qstash' as QueueName;

const PREFIX = 'msg_';

/** The length of an id without a queue: the prefix and a UUID. */
const LENGTH = PREFIX.length + 36;

/** The id of a message, which tells the queue of its job: clients name messages by their ids alone. */
export function pushId(uuid: string, queue: QueueName): string {
  return queue === PUSH_QUEUE ? `${PREFIX}${uuid}` : `${PREFIX}${uuid}_${queue}`;
}

/** Whether a client may mean a message by it: no store keeps anything else under such an id. */
export function isPushId(id: string): boolean {
  return id.startsWith(PREFIX) && id.length >= LENGTH && !id.includes(':');
}

/** The queue of a message. @param id as a client sent it. */
export function queueOfPush(id: string): QueueName {
  const isInQueue = id.startsWith(PREFIX) && id.length > LENGTH + 1;
  return isInQueue ? (id.slice(LENGTH + 1) as QueueName) : PUSH_QUEUE;
}
