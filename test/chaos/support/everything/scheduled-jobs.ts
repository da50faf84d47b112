import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { callInsistently } from '../insistent-call.ts';
import { lasting } from '../ledger-endpoint.ts';
import { Play } from '../play.ts';
import type { Replicas } from '../replicas.ts';
import type { LoadPart } from './load-part.ts';

const EVERY = 300;

/** Time between two runs by hand, in milliseconds. */
const BY_HAND = 2000;

interface JobAnswer {
  readonly id: string;
  readonly state: string;
}

/** Jobs of a scheduler, which is stored again and run by hand all the time. */
export class ScheduledJobs implements LoadPart {
  /** All jobs of a scheduler carry the same data, so that its books are of ids. */
  readonly #play: Play;
  readonly #replicas: Replicas;
  readonly #called = new Set<string>();
  readonly #byHand: string[] = [];
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;

  private constructor(play: Play, replicas: Replicas) {
    this.#play = play;
    this.#replicas = replicas;
    play.endpoint.onCall(({ id }) => this.#called.add(id));
    this.#running = this.#run();
  }

  static async start(replicas: Replicas): Promise<ScheduledJobs> {
    const play = await Play.begin(lasting(20));
    const opts = { concurrency: 4, maxStalledCount: 1000 };
    await play.client.register(replicas.next, play.endpoint.origin, opts);
    return new ScheduledJobs(play, replicas);
  }

  get jobs(): LoadPart['jobs'] {
    return new Map([[this.#play.queue, []]]);
  }

  /** How many of its jobs the endpoint was called for. */
  get calls(): number {
    return this.#called.size;
  }

  async settle(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#call('DELETE');
    const { client, queue } = this.#play;
    const { completed } = await client.untilFinished(this.#replicas.next, 30_000);
    expect(completed, 'scheduled jobs that completed').to.be.within(10, 1000);
    const path = `/queues/${queue}/jobs?length=1000`;
    const { body } = await this.#replicas.next.call('GET', path);
    const { jobs } = body as { readonly jobs: readonly JobAnswer[] };
    const ids = jobs.filter(({ state }) => state === 'completed').map(({ id }) => id);
    expect(ids, 'jobs run by hand').to.include.members(this.#byHand);
    expect(ids, 'jobs that the endpoint was called for').to.have.members([...this.#called]);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#play.end();
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const repeat = { every: EVERY };
      await this.#call('PUT', '', { repeat, job: { name: 'job', data: 0 } });
      const run = await this.#call('POST', '/run');
      this.#byHand.push((JSON.parse(run) as { readonly id: string }).id);
      await sleep(BY_HAND, undefined, { signal: this.#ended.signal }).catch(() => undefined);
    }
  }

  async #call(method: string, action = '', body?: unknown): Promise<string> {
    const path = `/queues/${this.#play.queue}/schedulers/tick${action}`;
    const { status, text } = await callInsistently(this.#replicas, method, path, body);
    expect(status, `${method} ${action} ${text}`).to.equal(200);
    return text;
  }
}
