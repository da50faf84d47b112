import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from '../support/redis/free-port.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { AgentClient, UndiciClient, type KeepAliveClient } from './support/keep-alive-clients.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { Nginx } from '../support/nginx.ts';
import { Play } from './support/play.ts';
import { isReady, Replicas } from './support/replicas.ts';
import { SteadySenders } from './support/steady-senders.ts';

/** How often it is asked which replicas are ready, in milliseconds. */
const DISCOVERY_INTERVAL = 200;

/** Requests that a client has in flight at once. */
const LANES = 8;

/** Each replica is restarted so often. */
const ROUNDS = 2;

for (const [processes, environment] of [
  ['of one process each', {}],
  ['of two processes each', { WEB_CONCURRENCY: '2' }],
] as const) {
  describe(`a rolling restart of three replicas ${processes}, under load`, () => {
    let store: RedisServer;
    let replicas: Replicas;
    let ports: readonly number[];
    let play: Play;
    let clients: readonly KeepAliveClient[];

    beforeEach(async () => {
      store = await RedisServer.start();
      const variables = { STORE_URI: store.uri, DRAIN_TIME: '2000', ...environment };
      replicas = await Replicas.start(0, variables);
      ports = [await freePort(), await freePort(), await freePort()];
      for (const port of ports) await replicas.add({ PORT: String(port) });
      await replicas.ready();
      play = await Play.begin(lasting(20));
      await play.client.register(replicas.next, play.endpoint.origin, { concurrency: 20 });
      clients = [new UndiciClient(LANES), new AgentClient(LANES)];
    });
    afterEach(async () => {
      await Promise.all(clients.map((client) => client.close()));
      await play.end();
      await replicas.kill();
      await store.stop();
    });

    function send(target: () => string): SteadySenders {
      const lanes = clients.flatMap((client) => Array.from({ length: LANES }, () => client));
      return new SteadySenders(play.queue, play.ledger, lanes, target, 50);
    }

    /** Every replica ends on SIGTERM and starts again at its place, one after the other. */
    async function restartAll(): Promise<void> {
      for (const port of Array.from({ length: ROUNDS }, () => ports).flat()) {
        const service = replicas.running.find(({ url }) => url.endsWith(`:${port}`))!;
        service.signal('SIGTERM');
        expect(await service.exited).to.deep.equal({ code: 0, signal: null });
        replicas.drop(service);
        await replicas.add({ PORT: String(port) });
        await replicas.ready();
      }
    }

    async function expectAllServed(senders: SteadySenders, log = () => ''): Promise<void> {
      await senders.end();
      await play.client.settle(replicas.next);
      const { sent: requests, failures } = senders;
      const restarts = ROUNDS * ports.length;
      play.ledger.print({ requests, failed: failures.length, restarts });
      expect(failures, log()).to.deep.equal([]);
      play.ledger.expectEachOnce();
    }

    // holds: shutdown.drain
    it('fails no request behind nginx, and loses no job', async () => {
      const nginx = await Nginx.start(ports);
      try {
        const senders = send(() => nginx.origin);
        await restartAll();
        await expectAllServed(senders, () => nginx.log);
      } finally {
        await nginx.stop();
      }
    }).timeout(300_000);

    // holds: shutdown.drain
    it('fails no request of keep-alive clients that go to the ready replicas, and loses no job', async () => {
      const discovery = new Discovery(replicas);
      const senders = send(() => discovery.next);
      await restartAll();
      await expectAllServed(senders);
      await discovery.end();
    }).timeout(300_000);
  });
}

/** Knows the replicas that are ready, as the endpoints of a service in Kubernetes do. */
class Discovery {
  readonly #replicas: Replicas;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;
  #ready: readonly string[];
  #turn = 0;

  constructor(replicas: Replicas) {
    this.#replicas = replicas;
    this.#ready = replicas.running.map(({ url }) => url);
    this.#running = this.#run();
  }

  /** The origin of another replica each time. */
  get next(): string {
    this.#turn += 1;
    return this.#ready[this.#turn % this.#ready.length]!;
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const asked = this.#replicas.running.map(async (service) => {
        return (await isReady(service).catch(() => false)) ? [service.url] : [];
      });
      this.#ready = (await Promise.all(asked)).flat();
      await sleep(DISCOVERY_INTERVAL);
    }
  }
}
