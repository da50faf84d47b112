import { DEFAULT_VISIBILITY, type MessagePolicy } from '../../domain/policies/message-policy.ts';

/** How long (ms) a message is kept unless its queue says otherwise: four days. */
const DEFAULT_RETENTION = 345_600_000;

/** Most bytes of a message with its attributes. */
const MAX_SIZE = 1_048_576;

/** What holds of the attributes that a queue does not set. */
const DEFAULTS = {
  visibility: DEFAULT_VISIBILITY,
  delay: 0,
  retention: DEFAULT_RETENTION,
  maxSize: MAX_SIZE,
  wait: 0,
  fifo: false,
  deduplicatesContent: false,
  kept: {},
} satisfies MessagePolicy;

/** What holds for the messages of a queue. `createdAt` is absent unless it was created for messages. */
export type MessageTerms = MessagePolicy & Required<Pick<MessagePolicy, keyof typeof DEFAULTS>>;

export function messageTerms(policy: MessagePolicy = {}): MessageTerms {
  return { ...DEFAULTS, ...policy };
}
