import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../../support/eventually.ts';
import { lasting } from '../ledger-endpoint.ts';
import { Play } from '../play.ts';
import { PullClients } from '../pull-clients.ts';
import type { Replicas } from '../replicas.ts';
import { Traffic } from '../traffic.ts';
import { SteadyControl } from './steady-control.ts';

/** How many calls of the worker may run at once. */
const CONCURRENCY = 10;

/** How long (ms) everything may take to end after the fault. */
const SETTLED = 30_000;

const CLAIM = { count: 3, wait: 1000, lock: 8000 };

/** Whose locks may end before their holders report: jobs are then called, or given to clients, once more. */
export type LostLocks = 'no locks' | 'locks of calls' | 'all locks';

let scenes = 0;

/**
 * Clients of replicas that add, that are called, that pull and complete, and that pause and resume, with the books of
 * what was answered to them.
 */
export class PostgresScene {
  readonly #replicas: Replicas;
  readonly #called: Play;
  readonly #pulled: Play;
  readonly #pulling: PullClients;
  readonly #traffic: readonly Traffic[];
  readonly #control: SteadyControl;

  private constructor(replicas: Replicas, called: Play, pulled: Play) {
    this.#replicas = replicas;
    this.#called = called;
    this.#pulled = pulled;
    this.#pulling = new PullClients(pulled.queue, pulled.ledger, replicas, 4, CLAIM);
    this.#traffic = [called, pulled].map(({ client }) => new Traffic(client, replicas, 25));
    scenes += 1;
    this.#control = new SteadyControl(replicas, `control-${scenes}`);
  }

  static async begin(replicas: Replicas): Promise<PostgresScene> {
    const [called, pulled] = [await Play.begin(lasting(20)), await Play.begin(lasting(0))];
    const opts = { concurrency: CONCURRENCY, maxStalledCount: 1000 };
    for (const { client, endpoint } of [called, pulled]) {
      await client.register(replicas.next, endpoint.origin, opts);
    }
    // This worker is not called: it says how often a job may stall, as those of claims without an answer do.
    await replicas.next.call('POST', `/workers/${pulled.queue}/disable`);
    return new PostgresScene(replicas, called, pulled);
  }

  /** Ends the traffic, waits until everything is finished, and proves what must hold. */
  async prove(lost: LostLocks, more: Readonly<Record<string, number>> = {}): Promise<void> {
    await Promise.all(this.#traffic.map((traffic) => traffic.end()));
    await this.#control.end();
    const started = performance.now();
    for (const { client, ledger, queue } of [this.#called, this.#pulled]) {
      await client.untilFinished(this.#replicas.next, SETTLED);
      await ledger.audit(this.#replicas.next, queue);
    }
    await this.#pulling.end();
    const facts = { ...more, 'ms until all ended': Math.round(performance.now() - started) };
    for (const { ledger } of [this.#called, this.#pulled]) {
      const refused = ledger.numbers('refused').length;
      const stored = ledger.storedThoughRefused.length;
      const unanswered = ledger.numbers('unanswered').length;
      ledger.print({ refused, 'refused, yet stored': stored, unanswered, ...facts });
    }
    for (const { ledger } of [this.#called, this.#pulled]) ledger.expectNothingLost();
    if (lost === 'no locks') this.#called.ledger.expectEachOnce();
    if (lost !== 'all locks') {
      this.#pulled.ledger.expectEachOnce();
      expect([...this.#pulling.late], 'completed by somebody else').to.deep.equal([]);
    }
    await this.#expectAllPlaces();
  }

  async end(): Promise<void> {
    await Promise.all([this.#pulling.end(), ...this.#traffic.map((traffic) => traffic.end())]);
    await Promise.all([this.#called.end(), this.#pulled.end()]);
  }

  /** As many calls as ever run at once: no place is held by a call that ended. */
  async #expectAllPlaces(): Promise<void> {
    const { client, endpoint } = this.#called;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    endpoint.work = async () => released;
    endpoint.reset();
    await client.addAccepted(this.#replicas.next, 2 * CONCURRENCY);
    await eventually(
      'all places are used',
      () => Promise.resolve(endpoint.running === CONCURRENCY),
      20_000,
    );
    await sleep(200);
    expect(endpoint.mostAtOnce).to.equal(CONCURRENCY);
    release();
    await client.untilFinished(this.#replicas.next, SETTLED);
  }
}
