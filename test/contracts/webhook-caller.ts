import { CallMemory } from '../../src/adapters/outbound/webhook/call-memory.ts';
import { AddressGuard } from '../../src/adapters/outbound/webhook/guard/address-guard.ts';
import type { WebhookSettings } from '../../src/adapters/outbound/webhook/webhook-settings.ts';
import { Cancellation } from '../../src/domain/calls/cancellation.ts';
import {
  EndpointCallError,
  type EndpointCall,
  type WebhookPort,
} from '../../src/application/ports/webhook-port.ts';
import type { EndpointAnswer } from '../../src/domain/calls/delivery.ts';
import type { Endpoint } from '../../src/domain/calls/endpoint.ts';
import { SystemClock } from '../../src/infrastructure/system-clock.ts';
import { queueNamed } from '../support/queue-named.ts';
import type { FlowChild } from '../../src/domain/flows/flow-child.ts';
import type { Job } from '../../src/domain/jobs/job.ts';
import { EndpointServer, type EndpointHandler } from '../support/endpoint-server.ts';
import { RawServer } from '../support/raw-server.ts';
import { rejection } from '../support/rejection.ts';
import { SettableHeap } from '../support/settable-heap.ts';
import { silentLogger } from '../support/silent-logger.ts';

export interface ClosableWebhook extends WebhookPort {
  close(): Promise<void>;
}

/** Makes the adapter under test. */
export type CreateWebhook = (settings: WebhookSettings) => ClosableWebhook;

/** What a call needs besides the URL; by default a POST that nothing aborts. */
export type CallOptions = Partial<Endpoint> & {
  readonly cancellation?: Cancellation;
  readonly job?: Job;
  readonly children?: readonly FlowChild[];
  readonly renewed?: EndpointCall['renewed'];
};

/** Lets everything through that the service lets through by default. */
export const GUARD = new AddressGuard({ policy: 'any', allow: [], deny: [] }, silentLogger);

export const TOKEN = 'a-token';

/** In bytes. */
export const MAX_RESPONSE_SIZE = 64 * 1024;

/** Milliseconds that are over before a test is, and enough for whatever should come before. */
export const BRIEFLY = 150;

export const JOB: Job = {
  queue: queueNamed('paint'),
  state: 'active',
  id: '7',
  name: 'paint',
  data: { colour: 'grün 🎨', layers: [1, 2.5, null, true], 'odd "key"': '\u0000\n\ud83d' },
  opts: { attempts: 3, delay: 0 },
  progress: 0,
  returnvalue: null,
  stacktrace: null,
  attemptsStarted: 1,
  attemptsMade: 0,
  delay: 0,
  timestamp: 1_700_000_000_000,
};

export const SETTINGS: WebhookSettings = {
  defaultTimeout: 10_000,
  maxResponseSize: MAX_RESPONSE_SIZE,
  userAgent: 'jobgate/1.2.3',
  queuePrefix: 'bull',
  publicUrl: 'https://jobs.example.com/gate',
  guard: GUARD,
  memory: new CallMemory(new SettableHeap()),
  clock: new SystemClock(),
};

/** Calls endpoints through the adapter under test, and owns all that a test starts. */
export class WebhookCaller {
  readonly webhook: ClosableWebhook;
  readonly create: CreateWebhook;
  readonly #servers: { close(): Promise<void> }[] = [];

  constructor(create: CreateWebhook, guard = GUARD) {
    this.create = create;
    this.webhook = create({ ...SETTINGS, guard });
  }

  call(url: string, options: CallOptions = {}): Promise<EndpointAnswer> {
    const { cancellation = new Cancellation(), job = JOB, children, renewed, ...rest } = options;
    const endpoint = { url, method: 'post', ...rest } as const;
    const call = { endpoint, job, token: TOKEN, children, renewed };
    return this.webhook.call(call, cancellation);
  }

  /** The message that the call fails with. @throws Error unless it is an EndpointCallError. */
  async failure(url: string, options: CallOptions = {}): Promise<string> {
    return (await this.#failed(url, options)).message;
  }

  /** How the call failed. @throws Error unless with an EndpointCallError. */
  async failedOutcome(url: string, options: CallOptions = {}): Promise<string> {
    return (await this.#failed(url, options)).outcome;
  }

  async #failed(url: string, options: CallOptions): Promise<EndpointCallError> {
    const error = await rejection(this.call(url, options));
    if (error instanceof EndpointCallError) return error;
    throw error;
  }

  async endpoint(respond?: EndpointHandler): Promise<EndpointServer> {
    return this.own(await EndpointServer.start(respond));
  }

  /** An endpoint that sends this text, whatever it is, and then does as `after` says. */
  raw(text: string, after: 'stay' | 'end' | 'reset' = 'stay'): Promise<RawServer> {
    return this.speaking((socket) => {
      socket.write(text, () => {
        if (after === 'end') socket.end();
        if (after === 'reset') socket.resetAndDestroy();
      });
    });
  }

  async speaking(speak: Parameters<typeof RawServer.start>[0]): Promise<RawServer> {
    return this.own(await RawServer.start(speak));
  }

  own<S extends { close(): Promise<void> }>(server: S): S {
    this.#servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    await this.webhook.close();
    await Promise.all(this.#servers.map((server) => server.close()));
  }
}
