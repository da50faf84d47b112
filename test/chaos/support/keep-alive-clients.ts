import { Agent, request } from 'node:http';
import { Pool } from 'undici';
import { ServiceProcess } from '../../support/service-process.ts';

/** A client that keeps its connections and repeats nothing. */
export interface KeepAliveClient {
  /** Resolves to the status. @throws Error when the connection broke. */
  post(origin: string, path: string, body: string): Promise<number>;
  close(): Promise<void>;
}

const HEADERS = {
  authorization: `Bearer ${ServiceProcess.token}`,
  'content-type': 'application/json',
};

/** The pools of undici, one for each server. */
export class UndiciClient implements KeepAliveClient {
  readonly #connections: number;
  readonly #pools = new Map<string, Pool>();

  constructor(connections: number) {
    this.#connections = connections;
  }

  async post(origin: string, path: string, body: string): Promise<number> {
    const pool = this.#pools.get(origin) ?? new Pool(origin, { connections: this.#connections });
    this.#pools.set(origin, pool);
    const answer = await pool.request({ method: 'POST', path, headers: HEADERS, body });
    await answer.body.dump();
    return answer.statusCode;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}

/** Node's own client with its agent. */
export class AgentClient implements KeepAliveClient {
  readonly #agent: Agent;

  constructor(connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  post(origin: string, path: string, body: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: HEADERS, agent: this.#agent };
      request(origin + path, options, (answer) => {
        answer
          .on('end', () => {
            resolve(answer.statusCode ?? 0);
          })
          .on('error', reject)
          .resume();
      })
        .on('error', reject)
        .end(body);
    });
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }
}
