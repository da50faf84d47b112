import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { Replicas } from './replicas.ts';

const QUEUE = 'waited-for';

/** How long a claim waits, in milliseconds. */
const WAIT = 1000;

/** Time after its wait in which a claim is answered, with some for a busy machine, in milliseconds. */
const PROMISED = 2500;

/** Pause after a claim that was refused, in milliseconds. */
const PAUSE = 50;

/** Clients that wait for jobs of a queue without any, each claim at another replica. */
export class WaitingClaims {
  /** The statuses of the answers, `broken` for none. */
  readonly #answers = new Set<number | 'broken'>();
  readonly #replicas: Replicas;
  readonly #ended = new AbortController();
  readonly #running: Promise<unknown>;
  #slowest = 0;
  #received = 0;

  constructor(replicas: Replicas, clients: number) {
    this.#replicas = replicas;
    this.#running = Promise.all(Array.from({ length: clients }, () => this.#run()));
  }

  /**
   * Ends them, once one of them has got a job that is added now, and expects that each claim was answered in time, with
   * 200 or 503, and that no replica failed over one.
   */
  async expectServed(): Promise<void> {
    const added = await this.#replicas.next.call('POST', `/queues/${QUEUE}/jobs`, [
      { name: 'job', data: 1 },
    ]);
    expect(added.status).to.equal(200);
    await eventually('a client that waits gets the job', () =>
      Promise.resolve(this.#received === 1),
    );
    await this.end();
    expect([200, 503], 'answers to claims').to.include.members([...this.#answers]);
    expect(this.#slowest, 'slowest claim').to.be.below(WAIT + PROMISED);
    for (const { logs } of this.#replicas.running) {
      expect(logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
    }
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const started = performance.now();
      const status = await this.#claim();
      this.#slowest = Math.max(this.#slowest, performance.now() - started);
      this.#answers.add(status);
      if (status !== 200) await sleep(PAUSE);
    }
  }

  async #claim(): Promise<number | 'broken'> {
    try {
      const path = `/queues/${QUEUE}/jobs/claim`;
      const { status, body } = await this.#replicas.next.call('POST', path, { wait: WAIT });
      if (status === 200) this.#received += (body as readonly unknown[]).length;
      return status;
    } catch {
      return 'broken';
    }
  }
}
