import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ServiceProcess } from '../../../support/service-process.ts';
import { lasting } from '../ledger-endpoint.ts';
import type { Ledger } from '../ledger.ts';
import { Play } from '../play.ts';
import type { Replicas } from '../replicas.ts';
import type { LoadPart } from './load-part.ts';

/** Time between two flows, in milliseconds. */
const PAUSE = 250;

const CHILDREN = 3;

/** How long a flow may wait for its answer, in milliseconds. */
const PATIENCE = 2500;

/** Parents that wait for children in another queue. */
export class Flows implements LoadPart {
  readonly #parents: Play;
  readonly #children: Play;
  readonly #ledger: Ledger;
  readonly #replicas: Replicas;
  readonly #childrenOf = new Map<number, readonly number[]>();
  /** The children whose calls were answered. */
  readonly #done = new Set<number>();
  readonly #early = new Set<number>();
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;

  private constructor(parents: Play, children: Play, ledger: Ledger, replicas: Replicas) {
    this.#parents = parents;
    this.#children = children;
    this.#ledger = ledger;
    this.#replicas = replicas;
    children.endpoint.work = async ({ number }) => {
      await sleep(50 + ((number * 37) % 200));
      this.#done.add(number);
    };
    parents.endpoint.onCall(({ number }) => {
      const all = this.#childrenOf.get(number) ?? [];
      if (!all.every((child) => this.#done.has(child))) this.#early.add(number);
    });
    this.#running = this.#run();
  }

  static async start(ledger: Ledger, replicas: Replicas): Promise<Flows> {
    const parents = await Play.begin(lasting(30), ledger);
    const children = await Play.begin(lasting(0), ledger);
    for (const { client, endpoint } of [parents, children]) {
      const opts = { concurrency: 10, maxStalledCount: 1000 };
      await client.register(replicas.next, endpoint.origin, opts);
    }
    return new Flows(parents, children, ledger, replicas);
  }

  get jobs(): LoadPart['jobs'] {
    return new Map<string, Iterable<number>>([
      [this.#parents.queue, this.#childrenOf.keys()],
      [this.#children.queue, [...this.#childrenOf.values()].flat()],
    ]);
  }

  async settle(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#children.client.settle(this.#replicas.next);
    await this.#parents.client.settle(this.#replicas.next);
    expect([...this.#early], 'parents called before their children').to.deep.equal([]);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await Promise.all([this.#parents.end(), this.#children.end()]);
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await Promise.all([this.#add(), sleep(PAUSE)]);
    }
  }

  async #add(): Promise<void> {
    const parent = this.#ledger.next();
    const children = Array.from({ length: CHILDREN }, () => this.#ledger.next());
    this.#childrenOf.set(parent, children);
    const job = (queue: string, number: number): object => ({
      queue,
      name: 'job',
      data: number,
      opts: { jobId: `job-${number}` },
    });
    const flow = {
      ...job(this.#parents.queue, parent),
      children: children.map((number) => job(this.#children.queue, number)),
    };
    const status = await fetch(`${this.#replicas.next.url}/flows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ServiceProcess.token}` },
      body: JSON.stringify(flow),
      signal: AbortSignal.timeout(PATIENCE),
    }).then(
      (answer) => answer.status,
      () => undefined,
    );
    const answered = status === undefined ? 'unanswered' : status === 200 ? 'accepted' : 'refused';
    for (const number of [parent, ...children]) this.#ledger.answered(number, answered);
  }
}
