import { setTimeout as sleep } from 'node:timers/promises';
import { completeJob } from '../job-reports.ts';
import { OtherAnswer, type LedgerCall } from '../ledger-endpoint.ts';
import type { Ledger } from '../ledger.ts';
import { Play } from '../play.ts';
import type { Replicas } from '../replicas.ts';
import { Traffic } from '../traffic.ts';
import type { LoadPart } from './load-part.ts';

const ACCEPTED = 202;

/** Jobs that the endpoint accepts with 202, and completes later through whatever replica is there. */
export class DeferredJobs implements LoadPart {
  readonly #play: Play;
  readonly #replicas: Replicas;
  readonly #traffic: Traffic;
  readonly #completions: Promise<boolean>[] = [];

  private constructor(play: Play, replicas: Replicas) {
    this.#play = play;
    this.#replicas = replicas;
    play.endpoint.work = (call) => {
      this.#completions.push(this.#complete(call));
      return Promise.resolve(new OtherAnswer(ACCEPTED));
    };
    this.#traffic = new Traffic(play.client, replicas, 50);
  }

  static async start(ledger: Ledger, replicas: Replicas): Promise<DeferredJobs> {
    const play = await Play.begin(
      () => Promise.resolve(),
      ledger,
      (number) => ({ jobId: `job-${number}` }),
    );
    const opts = { concurrency: 1000, maxStalledCount: 1000 };
    await play.client.register(replicas.next, play.endpoint.origin, opts, { accepted: 'defer' });
    return new DeferredJobs(play, replicas);
  }

  get jobs(): LoadPart['jobs'] {
    return new Map([[this.#play.queue, this.#play.client.numbers]]);
  }

  async settle(): Promise<void> {
    await this.#traffic.end();
    await this.#play.client.settle(this.#replicas.next);
    await Promise.all(this.#completions);
  }

  close(): Promise<void> {
    return this.#traffic.end().then(() => this.#play.end());
  }

  async #complete(call: LedgerCall): Promise<boolean> {
    await sleep(300 + ((call.number * 37) % 2500));
    return completeJob(this.#replicas, this.#play.queue, call);
  }
}
