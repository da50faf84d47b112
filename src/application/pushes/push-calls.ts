import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { Push } from '../../domain/messages/push.ts';
import { withFields } from '../../domain/values/with-fields.ts';
import type { CalledWorker } from '../../domain/workers/called-worker.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { PushFormatPort } from '../ports/push-format-port.ts';
import type { EndpointCall } from '../ports/webhook-port.ts';
import { contentOf } from './pushed-message.ts';

const SUCCESS = ['200-299'];

export interface PushCallsDependencies {
  readonly destinations: Pick<Destinations, 'openedText'>;
  readonly pushFormats: Pick<PushFormatPort, 'signature' | 'bytes'>;
}

/** Makes the calls for pushed messages: their very bytes, signed for the URL that they are sent to. */
export class PushCalls {
  readonly #parts: PushCallsDependencies;

  constructor(parts: PushCallsDependencies) {
    this.#parts = parts;
  }

  /** @param key that signs the call. @param now epoch ms. */
  of({ endpoint }: CalledWorker, { job }: Attempt, push: Push, key: string, now: number) {
    const { url, method, headers = {}, timeout } = endpoint;
    const { destinations, pushFormats } = this.#parts;
    const bytes = pushFormats.bytes(contentOf(job.data, push, url, destinations));
    const { topic, schedule } = push;
    const bound = job.opts.timeout ?? timeout;
    return {
      endpoint: {
        url,
        method,
        success: SUCCESS,
        ...(bound !== undefined && { timeout: bound }),
        headers: withFields(headers, {
          'upstash-message-id': job.id,
          'upstash-retried': String(job.attemptsMade),
          ...(schedule !== undefined && { 'upstash-schedule-id': schedule }),
          ...(topic !== undefined && { 'upstash-topic-name': topic }),
          'upstash-signature': pushFormats.signature(key, url, bytes, now),
        }),
      },
      bytes,
    } satisfies EndpointCall;
  }
}
