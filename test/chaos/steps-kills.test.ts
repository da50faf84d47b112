import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/lane.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { KILL_POINTS, SteppingEndpoint } from './support/stepping-endpoint.ts';

/** `KILLS=1000 npm run test:file -- …` for more of them. */
const KILLS = Number(process.env['KILLS'] ?? rounds(200, KILL_POINTS.length));

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

const QUEUE = 'orders';

interface KilledStore {
  /** The variables that name it. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const STORES: Readonly<Record<string, () => Promise<KilledStore>>> = {
  'an embedded store': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-steps-'));
    return { environment: { STORE_PATH: folder }, stop: () => rm(folder, { recursive: true }) };
  },
  PostgreSQL: async () => {
    const server = await PostgresServer.start();
    return { environment: { STORE_URI: server.uri }, stop: () => server.stop() };
  },
  Redis: async () => {
    const server = await RedisServer.start();
    return { environment: { STORE_URI: server.uri }, stop: () => server.stop() };
  },
};

/** What a kill does to steps is the same on each: the everyday lane plays one. */
const PLAYED = Object.entries(STORES).slice(0, rounds(3, 1));

for (const [name, start] of PLAYED) describeKills(name, start);

function describeKills(name: string, start: () => Promise<KilledStore>): void {
  describe(`a job of six steps whose service is killed, on ${name}`, () => {
    let store: KilledStore;
    let service: ServiceProcess;
    let endpoint: SteppingEndpoint;

    before(async () => {
      store = await start();
      service = await ServiceProcess.start({ ...store.environment, ...QUICK });
      endpoint = await SteppingEndpoint.start(put);
      endpoint.queue = QUEUE;
      const worker = {
        queue: QUEUE,
        endpoint: { url: endpoint.url, method: 'post', steps: true },
        opts: { maxStalledCount: 100 },
      };
      expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
    });

    after(async () => {
      await service.kill();
      await endpoint.close();
      await store.stop();
    });

    async function put(id: string, token: string, step: string, value: unknown): Promise<number> {
      try {
        const response = await fetch(`${service.url}/queues/${QUEUE}/jobs/${id}/steps/${step}`, {
          method: 'PUT',
          headers: { Authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(value),
        });
        return response.status;
      } catch {
        return 0;
      }
    }

    async function restart(): Promise<void> {
      await service.kill();
      service = await ServiceProcess.start({ ...store.environment, ...QUICK });
    }

    // holds: steps.faults
    it(`asks for no saved step again, loses none and wakes once, through ${KILLS} kills`, async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const point = KILL_POINTS[kill % KILL_POINTS.length];
        let killed: Promise<void> | undefined;
        endpoint.at = (here) => {
          if (here === point) killed ??= restart();
          return Promise.resolve();
        };
        const { body } = await service.call('POST', `/queues/${QUEUE}/jobs`, [
          { name: 'order', data: kill, opts: { attempts: 5 } },
        ]);
        const [{ id }] = body as [{ id: string }];
        const state = async (): Promise<Record<string, unknown>> =>
          (await service.call('GET', `/queues/${QUEUE}/jobs/${id}`)).body as Record<
            string,
            unknown
          >;
        let woken = 0;
        await eventually(`job ${id} ends, killed at ${point}`, async () => {
          await killed;
          const job = await state().catch(() => ({}) as Record<string, unknown>);
          const { signals = [] } = (job['suspended'] ?? {}) as { signals?: string[] };
          if (signals.length > 0) {
            const sent = await service.call('POST', `/queues/${QUEUE}/signals/paid:${id}`);
            woken += (sent.body as { woken: number }).woken;
            if (point === 'paid: signalled') killed ??= restart();
          }
          return job['state'] === 'completed';
        });
        await killed;
        expect(endpoint.violations, point).to.deep.equal([]);
        expect(woken, point).to.equal(1);
      }
      const repeated = [...endpoint.calls.values()].filter((count) => count > 2);
      expect(repeated, 'calls with the same steps').to.deep.equal([]);
    }).timeout(60_000 + KILLS * 20_000);
  });
}
