import * as http from 'node:http';
import * as https from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { UNEXPECTED_UPGRADE } from './call-failures.ts';
import type { AddressGuard } from './guard/address-guard.ts';
import { WireBudget } from './wire-budget.ts';

/** How long a connection is kept without a call, in milliseconds: less than most servers keep it. */
const IDLE_TIMEOUT = 4000;

/** The connections of the platform's own client, kept alive and shared by all calls. */
export class KeepAliveAgents {
  readonly #http: http.Agent;
  readonly #https: https.Agent;

  /** @param maxResponseSize in bytes. */
  constructor(maxResponseSize: number, guard: AddressGuard) {
    const options = { keepAlive: true, timeout: IDLE_TIMEOUT, lookup: guard.lookup };
    const prepared = <A extends http.Agent>(agent: A): A =>
      reportingFaults(guarded(agent, guard), maxResponseSize);
    this.#http = prepared(new http.Agent(options));
    this.#https = prepared(new https.Agent(options));
  }

  for(url: URL): http.Agent {
    return url.protocol === 'https:' ? this.#https : this.#http;
  }

  /** Ends idle connections now and the others as soon as their call has ended. */
  close(): void {
    for (const agent of [this.#http, this.#https]) agent.maxFreeSockets = 0;
    this.endIdle();
  }

  endIdle(): void {
    for (const { freeSockets } of [this.#http, this.#https]) {
      for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
    }
  }
}

/** Has the guard judge hosts that are addresses, which are never looked up. */
function guarded<A extends http.Agent>(agent: A, guard: AddressGuard): A {
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    try {
      guard.checkHost(options.host ?? '');
    } catch (error) {
      callback?.(error as Error, new Socket());
      return undefined;
    }
    return createConnection(options, callback);
  };
  return agent;
}

/** What the platform asks of an agent for each request; its type declarations leave it out. */
interface RequestTaker {
  addRequest(request: http.ClientRequest, ...others: unknown[]): void;
}

/**
 * Makes faults known that fetch does not see: the platform never ends a request that is answered with
 * an upgrade, a parse error behind the head of an answer would leave its body short, or empty, and it
 * reads interim answers and extensions of chunks without end.
 */
function reportingFaults<A extends http.Agent>(agent: A, maxResponseSize: number): A {
  const taker = agent as unknown as RequestTaker;
  const addRequest = taker.addRequest.bind(agent);
  taker.addRequest = (request, ...others) => {
    request.once('upgrade', (_answer, socket) => {
      fail(request, socket, UNEXPECTED_UPGRADE);
    });
    request.once('response', (answer) => {
      request.once('error', (error) => answer.destroy(error));
    });
    request.once('socket', (socket) => {
      keepWithin(new WireBudget(maxResponseSize), request, socket);
    });
    addRequest(request, ...others);
  };
  return agent;
}

function keepWithin(budget: WireBudget, request: http.ClientRequest, socket: Socket): void {
  const onData = (chunk: Buffer): void => {
    fail(request, socket, budget.received(chunk.length));
  };
  socket.on('data', onData);
  request.once('close', () => socket.off('data', onData));
  request.on('information', () => {
    fail(request, socket, budget.interimAnswer());
  });
}

function fail(request: http.ClientRequest, socket: Duplex, fault: string | undefined): void {
  if (fault === undefined || socket.destroyed) return;
  socket.destroy();
  request.emit('error', Object.assign(new Error(), { code: fault }));
}
