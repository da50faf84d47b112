import type { FlowControl, Push, PushContent, PushTerms } from '../../domain/messages/push.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** A call to a URL, as a client orders it. */
export interface OrderedCall extends PushTerms {
  readonly url: string;
  readonly method?: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A message as a client publishes it: to a URL, or to all endpoints of a URL group. */
export interface OutgoingPush
  extends Omit<OrderedCall, 'url'>, Pick<Push, 'label' | 'schedule' | 'callerIp'> {
  readonly to: { readonly url: string } | { readonly topic: string };
  readonly queue: QueueName;
  /** What its id follows from: of all messages with it, one is published. */
  readonly once?: string;
  readonly content: PushContent;
  /** The id that no other message of the queue has for a while, or `content` for one that follows from the message. */
  readonly deduplication?: { readonly id: string } | 'content';
  readonly callback?: OrderedCall;
  readonly failureCallback?: OrderedCall;
  readonly flowControl?: FlowControl;
  /** What readers may not see. */
  readonly redact?: { readonly body: boolean; readonly headers: readonly string[] | 'all' };
}

/** What became of a message, or of its copy for an endpoint of a URL group. */
export interface PublishedPush {
  readonly messageId: string;
  /** Of an endpoint of a URL group. */
  readonly url?: string;
  /** Whether another message stands for the same id. */
  readonly deduplicated?: true;
}
