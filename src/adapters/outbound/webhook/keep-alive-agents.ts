import * as http from 'node:http';
import * as https from 'node:https';
import { UNEXPECTED_UPGRADE } from './call-failures.ts';

/** How long a connection is kept without a call, in milliseconds: less than most servers keep it. */
const IDLE_TIMEOUT = 4000;

/** The connections of the platform's own client, kept alive and shared by all calls. */
export class KeepAliveAgents {
  readonly #http = reportingFaults(new http.Agent({ keepAlive: true, timeout: IDLE_TIMEOUT }));
  readonly #https = reportingFaults(new https.Agent({ keepAlive: true, timeout: IDLE_TIMEOUT }));

  for(url: URL): http.Agent {
    return url.protocol === 'https:' ? this.#https : this.#http;
  }

  /** Ends idle connections now and the others as soon as their call has ended. */
  close(): void {
    for (const agent of [this.#http, this.#https]) {
      agent.maxFreeSockets = 0;
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    }
  }
}

/** What the platform asks of an agent for each request; its type declarations leave it out. */
interface RequestTaker {
  addRequest(request: http.ClientRequest, ...others: unknown[]): void;
}

/**
 * Makes faults known that fetch does not see: the platform never ends a request that is answered with
 * an upgrade, and a parse error behind the head of an answer would leave its body short, or empty.
 */
function reportingFaults<A extends http.Agent>(agent: A): A {
  const taker = agent as unknown as RequestTaker;
  const addRequest = taker.addRequest.bind(agent);
  taker.addRequest = (request, ...others) => {
    request.once('upgrade', (_answer, socket) => {
      socket.destroy();
      request.emit('error', Object.assign(new Error(), { code: UNEXPECTED_UPGRADE }));
    });
    request.once('response', (answer) => {
      request.once('error', (error) => answer.destroy(error));
    });
    addRequest(request, ...others);
  };
  return agent;
}
