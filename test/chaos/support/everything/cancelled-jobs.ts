import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { callInsistently } from '../insistent-call.ts';
import { lasting } from '../ledger-endpoint.ts';
import type { Ledger } from '../ledger.ts';
import { Play } from '../play.ts';
import type { Replicas } from '../replicas.ts';
import { Traffic } from '../traffic.ts';
import type { LoadPart } from './load-part.ts';

const REASON = 'No longer needed';

/** Every other job waits for its time when it is cancelled; the others run. In milliseconds. */
const DELAY = 1500;

/** How long a call takes that is not cancelled, in milliseconds. */
const CALL = 1000;

const isDelayed = (number: number): boolean => number % 2 === 0;

const optionsOf = (number: number): object => ({
  jobId: `job-${number}`,
  ...(isDelayed(number) && { delay: DELAY }),
});

/** Jobs that are cancelled, some while they wait and some while their calls run. */
export class CancelledJobs implements LoadPart {
  readonly #play: Play;
  readonly #replicas: Replicas;
  readonly #traffic: Traffic;
  readonly #cancelled = new Set<number>();
  readonly #seen = new Set<number>();
  readonly #cancellations: Promise<void>[] = [];
  readonly #ended = new AbortController();
  readonly #sweeping: Promise<void>;

  private constructor(play: Play, replicas: Replicas) {
    this.#play = play;
    this.#replicas = replicas;
    play.endpoint.onCall(({ number }) => this.#begin(number));
    this.#traffic = new Traffic(play.client, replicas, 150);
    this.#sweeping = this.#sweep();
  }

  static async start(ledger: Ledger, replicas: Replicas): Promise<CancelledJobs> {
    const play = await Play.begin(lasting(CALL), ledger, optionsOf);
    const opts = { concurrency: 50, maxStalledCount: 1000 };
    await play.client.register(replicas.next, play.endpoint.origin, opts);
    return new CancelledJobs(play, replicas);
  }

  get jobs(): LoadPart['jobs'] {
    return new Map([[this.#play.queue, this.#play.client.numbers]]);
  }

  get cancelled(): number {
    return this.#cancelled.size;
  }

  async settle(): Promise<void> {
    const { client, ledger, queue } = this.#play;
    await this.#end();
    await client.settle(this.#replicas.next);
    for (const number of this.#cancelled) {
      const path = `/queues/${queue}/jobs/job-${number}/result`;
      const { body } = await this.#replicas.next.call('GET', path);
      expect(body, 'a cancelled job').to.include({ state: 'failed', failedReason: REASON });
      ledger.cancelled(number);
    }
  }

  async close(): Promise<void> {
    await this.#end();
    await this.#play.end();
  }

  async #end(): Promise<void> {
    await this.#traffic.end();
    this.#ended.abort();
    await this.#sweeping;
    await Promise.all(this.#cancellations);
  }

  /** Cancels the delayed jobs soon after they were accepted. */
  async #sweep(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const accepted = new Set(this.#play.ledger.numbers('accepted'));
      for (const number of this.#play.client.numbers) {
        if (isDelayed(number) && accepted.has(number)) this.#begin(number);
      }
      await sleep(100);
    }
  }

  #begin(number: number): void {
    if (this.#seen.has(number)) return;
    this.#seen.add(number);
    this.#cancellations.push(this.#cancel(number));
  }

  /** One that is answered with 409 has ended before, perhaps by a cancellation that got no answer. */
  async #cancel(number: number): Promise<void> {
    const path = `/queues/${this.#play.queue}/jobs/job-${number}`;
    const { status } = await callInsistently(this.#replicas, 'POST', `${path}/cancel`, {
      reason: REASON,
    });
    if (status === 200) this.#cancelled.add(number);
    else await this.#enterIfCancelled(number, path);
  }

  async #enterIfCancelled(number: number, path: string): Promise<void> {
    const { text } = await callInsistently(this.#replicas, 'GET', `${path}/result`);
    if (text.includes(REASON)) this.#cancelled.add(number);
  }
}
