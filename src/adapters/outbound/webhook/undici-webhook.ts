import { LRUCache } from 'lru-cache';
import type { Attempt } from '../../../domain/attempts/attempt.ts';
import type { Cancellation } from '../../../domain/calls/cancellation.ts';
import {
  ReplicaShortageError,
  type DescribedCall,
  type EndpointCall,
  type WebhookPort,
} from '../../../application/ports/webhook-port.ts';
import type { EndpointAnswer } from '../../../domain/calls/delivery.ts';
import { aborted } from './call-failures.ts';
import { ContentDecoder } from './content-decoding.ts';
import { UndiciCall } from './undici-call.ts';
import { UndiciConnections } from './undici-connections.ts';
import { describedCall, WebhookRequests } from './webhook-request.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/**
 * The most origins with kept idle connections. Beyond that, the connections of the least recently called origin end.
 */
const MAX_ORIGINS = 1000;

/**
 * Calls endpoints with undici, the cheapest client by far. Connections are kept alive and carry one call at a time.
 * There are as many connections as calls at once: the workers' concurrency bounds them.
 *
 * A kept connection may be closed by the endpoint at the very moment it is used again. Connections therefore end before
 * they get that old (4 s idle, or 2 s before the endpoint's `Keep-Alive` hint), and the client gives the event loop a
 * turn to notice a closed one before it sends anything. A call that still loses this race is sent once more over a new
 * connection.
 */
export class UndiciWebhook implements WebhookPort {
  readonly #settings: WebhookSettings;
  readonly #requests: WebhookRequests;
  readonly #decoder = new ContentDecoder();
  readonly #origins = new LRUCache<string, UndiciConnections>({
    max: MAX_ORIGINS,
    dispose: (connections, _origin, reason) => {
      if (reason === 'evict') void connections.close();
    },
  });

  constructor(settings: WebhookSettings) {
    this.#settings = settings;
    this.#requests = new WebhookRequests(settings);
  }

  bytesInBatch(attempt: Attempt): number {
    return this.#requests.bytesInBatch(attempt);
  }

  call(call: EndpointCall, cancellation: Cancellation): Promise<EndpointAnswer> {
    return this.#settings.memory.run(() => this.#call(call, cancellation));
  }

  async #call(call: EndpointCall, cancellation: Cancellation): Promise<EndpointAnswer> {
    if (cancellation.isRequested) throw aborted();
    const { memory } = this.#settings;
    const request = this.#requests.of(call);
    const connections = this.#connectionsTo(request.target.origin);
    try {
      return await UndiciCall.send(request, connections, {
        maxResponseSize: this.#settings.maxResponseSize,
        cancellation,
        decoder: this.#decoder,
        memory,
        renew: (limits) => this.#requests.renewed(call, limits),
      });
    } catch (error) {
      if (error instanceof ReplicaShortageError) this.#endIdle();
      throw error;
    }
  }

  describe(call: EndpointCall): DescribedCall {
    return describedCall(this.#requests.of(call));
  }

  /** Ends idle connections; those of running calls end with their call. */
  async close(): Promise<void> {
    const open = [...this.#origins.values()];
    this.#origins.clear();
    await Promise.all(open.map((connections) => connections.close()));
  }

  /** Ends all idle connections, since calls need the resources that they take. */
  #endIdle(): void {
    for (const connections of this.#origins.values()) void connections.endIdle();
  }

  #connectionsTo(origin: string): UndiciConnections {
    const known = this.#origins.get(origin);
    if (known !== undefined) return known;
    const connections = new UndiciConnections(origin, this.#settings.guard);
    this.#origins.set(origin, connections);
    return connections;
  }
}
