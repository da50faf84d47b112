import { invalidRequest } from '../errors.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { queueReferenceShape } from '../queues/queue-reference.ts';
import {
  boolean,
  bounded,
  integer,
  mapOf,
  object,
  optional,
  required,
  text,
  type Shaped,
} from '../values/shape.ts';

/** Attributes that are only read back. */
const MOST_KEPT = 10;
const MAX_KEPT_NAME = 100;
const MAX_KEPT_VALUE = 65_536;

/** How long (ms) a received message is in flight unless the receive or the policy says otherwise. */
export const DEFAULT_VISIBILITY = 30_000;

/** The longest time (ms) from a receive to the end of its visibility timeout. */
export const MAX_VISIBILITY = 43_200_000;

/** How long (ms) a receive may wait for its first message. */
export const MAX_RECEIVE_WAIT = 20_000;

/** How long (ms) a received message is in flight: no other receive gets it. */
export const visibilityShape = integer(0, MAX_VISIBILITY);

export const receiveWaitShape = integer(0, MAX_RECEIVE_WAIT);

/** The field of a policy that names the dead letter queue. */
export const REDRIVE_FIELD = 'messages.redrive';

/** What becomes of messages that are received again and again. */
const redriveShape = object('Redrive', {
  maxReceives: required(
    integer(1, 1000),
    'How often a message may be received before it goes to the dead letter queue',
  ),
  queue: required(queueReferenceShape, 'The dead letter queue'),
});

export type Redrive = Shaped<typeof redriveShape>;

const keptShape = bounded(
  MOST_KEPT,
  mapOf(
    bounded(
      MAX_KEPT_NAME,
      text('be a name of letters', (name) => /^[A-Za-z]+$/.test(name), { pattern: '^[A-Za-z]+$' }),
    ),
    bounded(
      MAX_KEPT_VALUE,
      text('be a string', (value) => value.isWellFormed()),
    ),
    'be an object of names to strings',
  ),
);

/** What holds for the jobs of a queue as messages of programs that speak Amazon SQS (reach contract, section 21). */
export const messagePolicyShape = object('MessagePolicy', {
  visibility: optional(
    visibilityShape,
    `Milliseconds that a received message is in flight; ${DEFAULT_VISIBILITY} unless given`,
  ),
  delay: optional(integer(0, 900_000), 'Milliseconds before a sent message may be received'),
  retention: optional(
    integer(60_000, 1_209_600_000),
    'Milliseconds after which a message is removed, received or not',
  ),
  maxSize: optional(integer(1024, 1_048_576), 'Most bytes of a message with its attributes'),
  wait: optional(receiveWaitShape, 'Milliseconds that a receive waits for its first message'),
  redrive: optional(redriveShape, 'The dead letter queue; messages are never given up without'),
  fifo: optional(boolean, 'Whether the messages of a group are in order and sent once'),
  deduplicatesContent: optional(
    boolean,
    'Whether messages without a deduplication id are deduplicated by their content',
  ),
  kept: optional(keptShape, 'Attributes without an effect, which are read back'),
  createdAt: optional(integer(0), 'When the queue was created for messages, epoch ms'),
  changedAt: optional(integer(0), 'When its attributes were changed last, epoch ms'),
});

export type MessagePolicy = Shaped<typeof messagePolicyShape>;

/**
 * @param queue undefined for the policy of all queues: each queue has messages of its own.
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkMessages(
  messages: MessagePolicy | undefined,
  queue: QueueName | undefined,
): void {
  if (messages === undefined) return;
  if (queue === undefined) {
    throw invalidRequest('messages must be left out of the policy of all queues', 'messages');
  }
  if (messages.redrive?.queue === queue) {
    const field = 'messages.redrive.queue';
    throw invalidRequest(`${field} must be another queue`, field);
  }
}
