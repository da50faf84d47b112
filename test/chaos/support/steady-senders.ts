import { setTimeout as sleep } from 'node:timers/promises';
import type { KeepAliveClient } from './keep-alive-clients.ts';
import type { Ledger } from './ledger.ts';

/** Clients that add one job after the other, each as soon as the one before is answered. */
export class SteadySenders {
  /** What was answered instead of 200, or how the connection broke. */
  readonly failures: string[] = [];
  #sent = 0;
  readonly #ledger: Ledger;
  readonly #path: string;
  readonly #ended = new AbortController();
  readonly #running: Promise<unknown>;

  /**
   * @param target where the next request goes
   * @param pause of each client after an answer, in milliseconds
   */
  constructor(
    queue: string,
    ledger: Ledger,
    clients: readonly KeepAliveClient[],
    target: () => string,
    pause: number,
  ) {
    this.#ledger = ledger;
    this.#path = `/queues/${queue}/jobs`;
    this.#running = Promise.all(clients.map((client) => this.#run(client, target, pause)));
  }

  get sent(): number {
    return this.#sent;
  }

  /** Resolves when every request has been answered or has failed. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #run(client: KeepAliveClient, target: () => string, pause: number): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#add(client, target());
      await sleep(pause);
    }
  }

  async #add(client: KeepAliveClient, origin: string): Promise<void> {
    const number = this.#ledger.next();
    this.#sent += 1;
    try {
      const status = await client.post(origin, this.#path, `[{"name":"job","data":${number}}]`);
      this.#ledger.answered(number, status === 200 ? 'accepted' : 'refused');
      if (status !== 200) this.failures.push(String(status));
    } catch (error) {
      this.#ledger.answered(number, 'unanswered');
      this.failures.push(String(error));
    }
  }
}
