import {
  checkDestination,
  destinationOf,
  normalDestination,
  type Destination,
} from '../../domain/calls/destination.ts';
import { invalidRequest } from '../../domain/errors.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { allowsOrigin } from '../../domain/policies/callback-policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { unreadableReason } from '../../domain/values/secret-text.ts';
import { workerCalling } from '../../domain/workers/called-worker.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { WebhookPort } from '../ports/webhook-port.ts';
import type { Sealing } from '../secrets/sealing.ts';
import { PUT_OFF, type UnreachableOrigins } from './unreachable-origins.ts';

/** A destination is encrypted for its origin, whatever record has it. */
const NO_RECORD = '';

/** The options of a job, as far as they concern where it is called. */
interface WithDestination {
  readonly endpoint?: Destination | undefined;
}

/** How a job is called. */
export interface CallTerms {
  readonly worker: Worker;
  readonly webhook: Pick<WebhookPort, 'call'>;
  /** For how long (ms) it is put off in place of the call; absent for a job that is called now. */
  readonly putOff?: number;
}

/** Where jobs are called that name their own destination (further contract, section 23). */
export class Destinations {
  readonly #policies: Pick<PoliciesInForce, 'of'>;
  readonly #sealing: Sealing<Destination>;
  readonly #unreachable: UnreachableOrigins;

  constructor(
    policies: Pick<PoliciesInForce, 'of'>,
    sealing: Sealing<Destination>,
    unreachable: UnreachableOrigins,
  ) {
    this.#policies = policies;
    this.#sealing = sealing;
    this.#unreachable = unreachable;
  }

  /**
   * The options of a job as they are stored: with the headers of its destination encrypted.
   *
   * @param path of the options, for errors.
   * @param sealed a destination that was checked and encrypted before.
   * @throws DomainError `invalid-request` for a destination that the policy of the queue does not allow.
   */
  prepared<Options extends WithDestination>(
    queue: QueueName,
    opts: Options,
    path: string,
    sealed?: Destination,
  ): Options {
    const { endpoint } = opts;
    if (endpoint === undefined) return opts;
    const at = path === '' ? 'endpoint' : `${path}.endpoint`;
    if (endpoint !== sealed) checkDestination(endpoint, at);
    const allowed = this.#policies.of(queue)?.endpoints;
    if (allowed === undefined || !allowsOrigin(allowed, endpoint.url)) {
      const field = `${at}.url`;
      throw invalidRequest(`${field} is not allowed by the policy of ${queue}`, field);
    }
    if (endpoint === sealed) return opts;
    return { ...opts, endpoint: this.sealed(normalDestination(endpoint)) };
  }

  /** The destination with its headers encrypted. */
  sealed(destination: Destination): Destination {
    return this.#sealing.sealed(destination, NO_RECORD);
  }

  /** The destination with its headers decrypted; one that cannot be stays as it is. */
  opened(destination: Destination): Destination {
    return this.#sealing.opened(destination, NO_RECORD);
  }

  /** A text as it is stored beside a destination: encrypted as a header of its calls. */
  sealedText(url: string, text: string): string {
    return this.sealed({ url, headers: { text } }).headers?.['text'] ?? '';
  }

  openedText(url: string, text: string): string {
    return this.opened({ url, headers: { text } }).headers?.['text'] ?? '';
  }

  /** How the job is called, where it names its own destination. @param terms those of other jobs of the queue. */
  termsFor(terms: CallTerms, { opts }: Pick<Job, 'opts'>): CallTerms {
    const destination = destinationOf(opts);
    if (destination === undefined) return terms;
    if (this.#unreachable.includes(destination.url)) return { ...terms, putOff: PUT_OFF };
    const secret = this.#sealing.unreadable(destination, NO_RECORD);
    const worker = {
      ...workerCalling(terms.worker, this.opened(destination)),
      ...(secret && { unreadable: unreadableReason(secret) }),
    };
    return { worker, webhook: this.#unreachable.noting(terms.webhook) };
  }
}
