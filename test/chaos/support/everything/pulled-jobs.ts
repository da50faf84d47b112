import type { Ledger } from '../ledger.ts';
import { Play } from '../play.ts';
import { PullClients } from '../pull-clients.ts';
import type { Replicas } from '../replicas.ts';
import { Traffic } from '../traffic.ts';
import type { LoadPart } from './load-part.ts';

const CLAIM = { count: 3, wait: 1000, lock: 2000 };

const CLIENTS = 6;

/** Jobs that clients claim, waiting for them, and complete. */
export class PulledJobs implements LoadPart {
  readonly #play: Play;
  readonly #replicas: Replicas;
  readonly #traffic: Traffic;
  readonly #clients: PullClients;

  private constructor(play: Play, replicas: Replicas) {
    this.#play = play;
    this.#replicas = replicas;
    this.#traffic = new Traffic(play.client, replicas, 50);
    this.#clients = new PullClients(play.queue, play.ledger, replicas, CLIENTS, CLAIM);
  }

  static async start(ledger: Ledger, replicas: Replicas): Promise<PulledJobs> {
    const play = await Play.begin(
      () => Promise.resolve(),
      ledger,
      (number) => ({ jobId: `job-${number}` }),
    );
    // A worker that is not called says how often a job may stall: one does whose claim got no answer.
    const opts = { concurrency: 1000, maxStalledCount: 1000 };
    await play.client.register(replicas.next, play.endpoint.origin, opts);
    await replicas.next.call('POST', `/workers/${play.queue}/disable`);
    return new PulledJobs(play, replicas);
  }

  get jobs(): LoadPart['jobs'] {
    return new Map([[this.#play.queue, this.#play.client.numbers]]);
  }

  async settle(): Promise<void> {
    await this.#traffic.end();
    await this.#play.client.settle(this.#replicas.next);
    await this.#clients.end();
  }

  async close(): Promise<void> {
    await this.#traffic.end();
    await this.#clients.end();
    await this.#play.end();
  }
}
