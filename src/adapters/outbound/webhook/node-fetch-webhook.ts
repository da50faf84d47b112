import type { Agent } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import fetch from 'node-fetch';
import type { Attempt } from '../../../domain/attempts/attempt.ts';
import type { Cancellation } from '../../../domain/calls/cancellation.ts';
import {
  EndpointCallError,
  ReplicaShortageError,
  type DescribedCall,
  type EndpointCall,
  type WebhookPort,
} from '../../../application/ports/webhook-port.ts';
import type { EndpointAnswer } from '../../../domain/calls/delivery.ts';
import {
  aborted,
  callFailed,
  connectionFailed,
  isResetWhileKept,
  UNEXPECTED_UPGRADE,
} from './call-failures.ts';
import { CallLimits } from './call-limits.ts';
import { ContentDecoder } from './content-decoding.ts';
import { endpointAnswer } from './endpoint-answer.ts';
import { getWithBody } from './get-with-body.ts';
import { headerRecord } from './header-record.ts';
import { KeepAliveAgents } from './keep-alive-agents.ts';
import { readBody, type ReadAnswer, type StreamedAnswer } from './streamed-answer.ts';
import { describedCall, type WebhookRequest, WebhookRequests } from './webhook-request.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** How many origins are remembered as reached. */
const MAX_ORIGINS = 1000;

/**
 * Calls endpoints with node-fetch, and with the platform's own client where fetch refuses a body.
 *
 * A kept connection may be closed by the endpoint at the very moment it is used again. Connections therefore end before
 * they get that old (4 s idle, or 1 s before the endpoint's `Keep-Alive` hint), and the event loop gets a turn to
 * notice a closed one before anything is sent. A call that still loses this race is sent once more over a new
 * connection.
 */
export class NodeFetchWebhook implements WebhookPort {
  readonly #settings: WebhookSettings;
  readonly #requests: WebhookRequests;
  readonly #decoder = new ContentDecoder();
  readonly #agents: KeepAliveAgents;
  readonly #reached = new LRUCache<string, true>({ max: MAX_ORIGINS });

  constructor(settings: WebhookSettings) {
    this.#settings = settings;
    this.#requests = new WebhookRequests(settings);
    this.#agents = new KeepAliveAgents(settings.maxResponseSize, settings.guard);
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
    const { head, body } = await this.#exchangeInTime(request, cancellation, (limits) =>
      this.#requests.renewed(call, limits),
    );
    return endpointAnswer(head, body, request.target.success, this.#decoder, memory);
  }

  describe(call: EndpointCall): DescribedCall {
    return describedCall(this.#requests.of(call));
  }

  /** Ends idle connections; those of running calls end with their call. */
  close(): Promise<void> {
    this.#agents.close();
    return Promise.resolve();
  }

  #exchangeInTime(
    request: WebhookRequest,
    cancellation: Cancellation,
    renew: (limits: CallLimits) => Promise<WebhookRequest>,
  ): Promise<ReadAnswer> {
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      const limits = new CallLimits(request.timeout, cancellation, (reason) => {
        reject(reason);
        stop.abort();
      });
      const renewInTime = async (): Promise<WebhookRequest | undefined> =>
        limits.left > 0 && !stop.signal.aborted ? renew(limits) : undefined;
      void this.#exchange(request, stop.signal, renewInTime)
        .then(resolve, reject)
        .finally(() => {
          limits.clear();
        });
    });
  }

  /** @param renew makes the request that is sent again, unless it is too late for that. */
  async #exchange(
    request: WebhookRequest,
    signal: AbortSignal,
    renew: () => Promise<WebhookRequest | undefined>,
  ): Promise<ReadAnswer> {
    const { url, origin } = request.target;
    try {
      const streamed = await this.#send(request, this.#agents.for(url), signal).catch(
        async (error: unknown) => {
          const renewed = isResetWhileKept(error)
            ? await renew().catch(() => undefined)
            : undefined;
          if (renewed === undefined) throw error;
          return this.#send(renewed, this.#agents.unshared(url), signal);
        },
      );
      this.#reached.set(origin, true);
      if (streamed.head.status === 101) throw callFailed(UNEXPECTED_UPGRADE, origin);
      const body = await readBody(streamed.body, this.#settings.maxResponseSize);
      return { head: streamed.head, body };
    } catch (error) {
      if (error instanceof EndpointCallError) throw error;
      const failure = connectionFailed(error, origin, this.#reached.has(origin));
      if (failure instanceof ReplicaShortageError) this.#agents.endIdle();
      throw failure;
    }
  }

  async #send(request: WebhookRequest, agent: Agent, signal: AbortSignal): Promise<StreamedAnswer> {
    const { url, method } = request.target;
    const { body } = request;
    // In this turn, a connection that was closed while idle leaves the agent.
    await setImmediate();
    if (method === 'GET' && body !== null) return getWithBody(request, body, agent, signal);
    const headers = headerRecord(request.headers);
    const options = { method, headers, body, agent, signal, compress: false };
    const response = await fetch(url, { ...options, redirect: 'manual' });
    const head = {
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
    };
    return { head, body: response.body ?? [] };
  }
}
