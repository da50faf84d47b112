import {
  DEFAULT_VISIBILITY,
  type MessagePolicy,
  type Redrive,
} from '../../domain/policies/message-policy.ts';

/** How long (ms) a message is kept unless its queue says otherwise: four days. */
const DEFAULT_RETENTION = 345_600_000;

/** Most bytes of a message with its attributes. */
const MAX_SIZE = 1_048_576;

/** What holds for the messages of a queue: its attributes, those that it does not set included. Times are ms. */
export interface MessageTerms {
  readonly visibility: number;
  readonly delay: number;
  readonly retention: number;
  /** Bytes. */
  readonly maxSize: number;
  readonly wait: number;
  readonly redrive: Redrive | undefined;
  readonly fifo: boolean;
  readonly deduplicatesContent: boolean;
  readonly kept: Readonly<Record<string, string>>;
  /** Epoch ms; undefined for a queue that was never created for messages. */
  readonly createdAt: number | undefined;
  readonly changedAt: number | undefined;
}

export function messageTerms(policy: MessagePolicy = {}): MessageTerms {
  const { visibility = DEFAULT_VISIBILITY, delay = 0, retention = DEFAULT_RETENTION } = policy;
  const {
    maxSize = MAX_SIZE,
    wait = 0,
    redrive,
    fifo = false,
    deduplicatesContent = false,
  } = policy;
  const { kept = {}, createdAt, changedAt } = policy;
  return {
    ...{ visibility, delay, retention, maxSize, wait, redrive, fifo, deduplicatesContent, kept },
    ...{ createdAt, changedAt },
  };
}
