import { eventBody, type CallbackDelivery } from '../../domain/deliveries/end-messages.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Outgoing, Sender } from './outgoing-message.ts';

/** How long (ms) a receiver may take. */
const TIMEOUT = 10_000;

/** Sends the callbacks of jobs to URLs (reach contract, section 18). */
export class CallbackSender implements Sender {
  readonly pausesWhenGone = false;
  readonly #callbacks: Pick<Callbacks, 'opened' | 'signingOf'>;

  constructor(callbacks: Pick<Callbacks, 'opened' | 'signingOf'>) {
    this.#callbacks = callbacks;
  }

  outgoing(identity: Job): Promise<Outgoing> {
    const delivery = identity.data as unknown as CallbackDelivery;
    const { queue, callback, run } = delivery;
    const opened = this.#callbacks.opened(callback);
    const secrets = this.#callbacks.signingOf(queue);
    if (opened === undefined || secrets === 'unreadable') {
      const reason = 'The secrets of the callback cannot be decrypted here';
      return Promise.resolve({ kind: 'fail', reason });
    }
    const { headers } = opened as CallbackDelivery['callback'];
    const endpoint: Endpoint = {
      url: callback.url,
      method: 'post',
      timeout: TIMEOUT,
      success: ['200-299'],
      ...(headers && { headers }),
      ...(secrets && { signing: true, secrets }),
    };
    const body = eventBody(delivery, run);
    const message = { identity, contentType: 'application/json', body };
    return Promise.resolve({ kind: 'send', endpoint, message });
  }

  failing(): Promise<void> {
    return Promise.resolve();
  }
}
