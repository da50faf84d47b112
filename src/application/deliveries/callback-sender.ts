import { eventBody, type CallbackDelivery } from '../../domain/deliveries/end-messages.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Outgoing, Sender } from './outgoing-message.ts';

/** How long (ms) a receiver may take. */
const TIMEOUT = 10_000;

/** What the policies in force say of callbacks, and what opens the secrets of a callback. */
export interface CallbackTerms {
  /** The secret that signs the callbacks of a queue; undefined for none. */
  secretOf(queue: QueueName): string | undefined;

  /** The headers of a callback with their values decrypted; undefined when one cannot be. */
  openedHeaders(
    queue: QueueName,
    callback: CallbackDelivery['callback'],
  ): Readonly<Record<string, string>> | undefined;
}

/** Sends the callbacks of jobs to URLs (reach contract, section 18). */
export class CallbackSender implements Sender {
  readonly pausesWhenGone = false;
  readonly #terms: CallbackTerms;

  constructor(terms: CallbackTerms) {
    this.#terms = terms;
  }

  outgoing({ id, data }: Job): Promise<Outgoing> {
    const delivery = data as unknown as CallbackDelivery;
    const { queue, callback, run } = delivery;
    const headers = this.#terms.openedHeaders(queue, callback);
    if (headers === undefined) {
      const reason = 'The headers of the callback cannot be decrypted here';
      return Promise.resolve({ kind: 'fail', reason });
    }
    const secret = this.#terms.secretOf(queue);
    const endpoint: Endpoint = {
      url: callback.url,
      method: 'post',
      timeout: TIMEOUT,
      success: ['200-299'],
      headers,
      ...(secret !== undefined && { signing: true, secrets: { current: secret, former: [] } }),
    };
    const body = eventBody(delivery, run);
    const message = { id: messageIdOf(id), contentType: 'application/json', body };
    return Promise.resolve({ kind: 'send', endpoint, message });
  }

  failing(): Promise<void> {
    return Promise.resolve();
  }
}

/** The id of a delivery has the name of its queue and the id of its job, which may have characters of any script. */
function messageIdOf(delivery: string): string {
  return encodeURIComponent(delivery.toWellFormed());
}
