import type { Cancellation } from '../../src/domain/calls/cancellation.ts';
import {
  EndpointCallError,
  type BatchCall,
  type EndpointCall,
  type WebhookPort,
} from '../../src/application/ports/webhook-port.ts';
import type { AnswerHeaders, EndpointAnswer } from '../../src/domain/calls/delivery.ts';
import type { Endpoint } from '../../src/domain/calls/endpoint.ts';
import type { Job } from '../../src/domain/jobs/job.ts';

/** One call that waits for its answer. */
export interface OpenCall {
  readonly endpoint: Endpoint;
  readonly job: Job;
  readonly token: string;
  readonly cancellation: Cancellation;
  answer(status?: number, body?: string, headers?: AnswerHeaders): void;
  fail(error: Error): void;
}

/** A WebhookPort that leaves its calls open until the test answers them. */
export class RecordedWebhook implements WebhookPort {
  /** Every call so far, in the order they came. */
  readonly calls: OpenCall[] = [];
  /** Most calls that were open at the same time. */
  mostOpen = 0;
  readonly #open = new Set<OpenCall>();
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  get open(): number {
    return this.#open.size;
  }

  /** A call for several jobs counts as one of its first job. */
  call(called: EndpointCall, cancellation: Cancellation): Promise<EndpointAnswer> {
    if ('message' in called || 'bytes' in called) {
      return Promise.reject(new Error('No message is sent here'));
    }
    const { endpoint } = called;
    const { job, token } = 'batch' in called ? called.batch.attempts[0]! : called;
    return new Promise((resolve, reject) => {
      const call: OpenCall = {
        endpoint,
        job,
        token,
        cancellation,
        answer: (status = 200, body = '', headers = {}) => {
          this.#open.delete(call);
          resolve({
            status,
            statusText: '',
            headers: { 'content-type': 'application/json', ...headers },
            body,
          });
        },
        fail: (error) => {
          this.#open.delete(call);
          reject(error);
        },
      };
      cancellation.listen(() => {
        this.#open.delete(call);
        reject(new EndpointCallError('The call was aborted', 'failed'));
      });
      this.#open.add(call);
      this.mostOpen = Math.max(this.mostOpen, this.#open.size);
      this.calls.push(call);
      for (const { count, resolve: arrived } of this.#waiting) {
        if (this.calls.length >= count) arrived();
      }
    });
  }

  describe(): never {
    throw new Error('No call is described here');
  }

  bytesInBatch({ job }: BatchCall['attempts'][number]): number {
    return JSON.stringify(job).length;
  }

  /** The call of that number, from 0, as soon as it has come. */
  async nth(index: number): Promise<OpenCall> {
    if (this.calls.length <= index) {
      await new Promise<void>((resolve) => this.#waiting.push({ count: index + 1, resolve }));
    }
    return this.calls[index]!;
  }
}
