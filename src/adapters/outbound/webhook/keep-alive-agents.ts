import * as http from 'node:http';
import * as https from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isReset, RESET_WHILE_KEPT, UNEXPECTED_UPGRADE } from './call-failures.ts';
import type { AddressGuard } from './guard/address-guard.ts';
import { WireBudget } from './wire-budget.ts';

/** How long a connection is kept without a call, in milliseconds: less than most servers keep it. */
const IDLE_TIMEOUT = 4000;

/** The connections of the platform's own client, kept alive and shared by all calls. */
export class KeepAliveAgents {
  readonly #maxResponseSize: number;
  readonly #guard: AddressGuard;
  readonly #http: http.Agent;
  readonly #https: http.Agent;

  /** @param maxResponseSize in bytes. */
  constructor(maxResponseSize: number, guard: AddressGuard) {
    this.#maxResponseSize = maxResponseSize;
    this.#guard = guard;
    this.#http = this.#agent(http.Agent);
    this.#https = this.#agent(https.Agent);
  }

  for(url: URL): http.Agent {
    return isSecure(url) ? this.#https : this.#http;
  }

  /** An agent for one call that must not use a kept connection; its own connection is not kept either. */
  unshared(url: URL): http.Agent {
    const agent = this.#agent(isSecure(url) ? https.Agent : http.Agent);
    agent.maxFreeSockets = 0;
    return agent;
  }

  /** Ends idle connections now, and the others as soon as their calls end. */
  close(): void {
    for (const agent of [this.#http, this.#https]) agent.maxFreeSockets = 0;
    this.endIdle();
  }

  endIdle(): void {
    for (const { freeSockets } of [this.#http, this.#https]) {
      for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
    }
  }

  #agent(Agent: typeof http.Agent): http.Agent {
    const { lookup } = this.#guard;
    const agent = new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT, lookup });
    return reportingFaults(guarded(agent, this.#guard), this.#maxResponseSize);
  }
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:';
}

/** Lets the guard judge hosts that are addresses, since those are never looked up. */
function guarded(agent: http.Agent, guard: AddressGuard): http.Agent {
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

/** The method that the platform calls on an agent for each request; its type declarations leave it out. */
interface RequestTaker {
  addRequest(request: http.ClientRequest, ...others: unknown[]): void;
}

/**
 * Marks the reset of a kept connection, and reports faults that fetch does not notice: the platform never ends a
 * request that is answered with an upgrade, a parse error after the head of an answer would leave its body short or
 * empty, and it reads interim answers and extensions of chunks without end.
 */
function reportingFaults(agent: http.Agent, maxResponseSize: number): http.Agent {
  const taker = agent as unknown as RequestTaker;
  const addRequest = taker.addRequest.bind(agent);
  taker.addRequest = (request, ...others) => {
    const budget = new WireBudget(maxResponseSize);
    request.once('upgrade', (_answer, socket) => {
      fail(request, socket, UNEXPECTED_UPGRADE);
    });
    request.once('response', (answer) => {
      request.once('error', (error) => answer.destroy(error));
    });
    request.once('error', (error) => {
      if (request.reusedSocket && !budget.isUsed && isReset(error)) {
        Object.assign(error, { code: RESET_WHILE_KEPT });
      }
    });
    request.once('socket', (socket) => {
      keepWithin(budget, request, socket);
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
