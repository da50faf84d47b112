import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/lane.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { KILL_POINTS, SteppingEndpoint, type KillPoint } from './support/stepping-endpoint.ts';

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

/** A job of the queue, as far as this needs it. */
interface Seen {
  readonly state?: string;
  readonly suspended?: { readonly signals: readonly string[] } | null;
}

function describeKills(name: string, start: () => Promise<KilledStore>): void {
  describe(`a job of six steps whose service or endpoint is killed, on ${name}`, () => {
    let store: KilledStore;
    let service: ServiceProcess;
    let endpoint: SteppingEndpoint;

    before(async () => {
      store = await start();
      service = await ServiceProcess.start({ ...store.environment, ...QUICK });
      endpoint = await SteppingEndpoint.start(QUEUE, put);
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

    async function put(
      id: string,
      token: string,
      step: string,
      value: unknown,
    ): Promise<{ readonly value: unknown } | undefined> {
      const path = `/queues/${QUEUE}/jobs/${id}/steps/${step}`;
      const saved = await service.call('PUT', path, value, token).catch(() => undefined);
      if (saved?.status === 201) return { value };
      return saved?.status === 200 ? { value: saved.body } : undefined;
    }

    async function killService(): Promise<void> {
      await service.kill();
      service = await ServiceProcess.start({ ...store.environment, ...QUICK });
    }

    // holds: steps.faults
    it(`asks for no saved step again, loses none and wakes once, through ${KILLS} kills`, async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const point = KILL_POINTS[kill % KILL_POINTS.length];
        // Every other run kills the endpoint, and at each point by turns.
        const isService = (kill + Math.floor(kill / KILL_POINTS.length)) % 2 === 0;
        const run = `run ${kill}: ${isService ? 'service' : 'endpoint'} killed at ${point}`;
        let killed: Promise<void> | undefined;
        const reach = (here: KillPoint): void => {
          if (here === point) killed ??= isService ? killService() : endpoint.crash();
        };
        endpoint.at = reach;
        const { body } = await service.call('POST', `/queues/${QUEUE}/jobs`, [
          {
            name: 'order',
            data: kill,
            opts: { attempts: 50, backoff: { type: 'fixed', delay: 20 } },
          },
        ]);
        reach('added');
        const [{ id }] = body as [{ id: string }];
        let woken = 0;
        const signal = async (): Promise<void> => {
          reach('paid: suspended');
          await killed;
          const sending = service.call('POST', `/queues/${QUEUE}/signals/paid:${id}`);
          reach('paid: signal sent');
          const sent = (await sending.catch(() => undefined))?.body as
            { woken: number } | undefined;
          woken += sent?.woken ?? 0;
          reach('paid: signalled');
        };
        await eventually(
          `${run}: job ${id} ends`,
          async () => {
            await killed;
            const { state, suspended } = await jobNow(id);
            if ((suspended?.signals.length ?? 0) > 0) await signal();
            return state === 'completed';
          },
          60_000,
        );
        await killed;
        expect(killed, `${run} was reached`).not.to.equal(undefined);
        expect(endpoint.violations, run).to.deep.equal([]);
        // The service may die between waking the job and its answer.
        expect(woken, run).to.be.within(isService && point === 'paid: signal sent' ? 0 : 1, 1);
        // A kill ends at most one call, which is made again.
        expect(endpoint.repeated(id), `${run}: calls with the same steps`).to.be.at.most(1);
        expect(endpoint.partsOf(id), `${run}: parts`).to.equal(2);
      }
    }).timeout(60_000 + KILLS * 20_000);

    async function jobNow(id: string): Promise<Seen> {
      const answer = await service
        .call('GET', `/queues/${QUEUE}/jobs/${id}`)
        .catch(() => undefined);
      return answer?.body ?? {};
    }
  });
}
