import type { FlowControl, Push, PushContent, PushTerms } from '../../domain/messages/push.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** How a client orders a call. */
export interface OrderedCall extends PushTerms {
  readonly method?: string | undefined;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A call that follows another one. */
export interface OrderedCallback extends OrderedCall {
  readonly url: string;
}

/** A message as a client publishes it: to a URL, or to all endpoints of a URL group. */
export interface OutgoingPush extends Pick<Push, 'label' | 'schedule' | 'callerIp'> {
  readonly to: { readonly url: string } | { readonly topic: string };
  readonly queue: QueueName;
  /** What its id follows from: of all messages with it, one is published. */
  readonly once?: string;
  readonly content: PushContent;
  readonly call: OrderedCall;
  /** The id that no other message of the queue has for a while, or `content` for one that follows from the message. */
  readonly deduplication?: { readonly id: string } | 'content' | undefined;
  readonly callback?: OrderedCallback | undefined;
  readonly failureCallback?: OrderedCallback | undefined;
  readonly flowControl?: FlowControl | undefined;
  /** What readers may not see. */
  readonly redact?:
    { readonly body: boolean; readonly headers: readonly string[] | 'all' } | undefined;
}

/** What became of a message, or of its copy for an endpoint of a URL group. */
export interface PublishedPush {
  readonly messageId: string;
  /** Of an endpoint of a URL group. */
  readonly url?: string | undefined;
  /** Whether another message stands for the same id. */
  readonly deduplicated?: true | undefined;
}
