import { expect } from 'chai';
import { answer, EndpointServer, type EndpointCall } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/lane.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { Replicas } from './support/replicas.ts';

const JOBS = rounds(500, 50);
const QUEUE = 'orders';
/** Milliseconds that a busy machine may take. */
const PATIENCE = 60_000;

const SERVERS = [
  ['Redis', () => RedisServer.start()],
  ['PostgreSQL', () => PostgresServer.start()],
] as const;

/** What replicas do to signals is the same on each: the everyday lane plays one. */
for (const [name, start] of SERVERS.slice(0, rounds(2, 1))) {
  describe(`two replicas and the jobs that wait for signals, on ${name}`, () => {
    let store: Awaited<ReturnType<typeof start>>;
    let replicas: Replicas;
    let endpoint: EndpointServer;

    before(async () => {
      store = await start();
      replicas = await Replicas.start(2, { STORE_URI: store.uri });
      endpoint = await EndpointServer.start((call, response) => {
        const { job, steps } = call.body as EndpointCall['body'] & { steps?: object };
        const waitFor = { paid: { signal: job.data as string } };
        const isPaid = steps !== undefined && 'paid' in steps;
        return answer(isPaid ? 200 : 206, isPaid ? '' : { waitFor })(call, response);
      });
      const worker = {
        queue: QUEUE,
        endpoint: { url: endpoint.url, method: 'post', steps: true },
        opts: { concurrency: 20 },
      };
      expect((await replicas.next.call('POST', '/workers', worker)).status).to.equal(200);
    });

    after(async () => {
      await Promise.all(replicas.running.map((service) => service.kill()));
      await endpoint.close();
      await store.stop();
    });

    /** Adds jobs, and resolves once all of them wait. */
    async function waiting(keyOf: (index: number) => string): Promise<void> {
      endpoint.calls.splice(0);
      const jobs = Array.from({ length: JOBS }, (_, index) => ({ name: 'a', data: keyOf(index) }));
      await replicas.next.call('POST', `/queues/${QUEUE}/jobs`, jobs);
      await eventually(
        'all jobs wait',
        async () => {
          const { body } = await replicas.next.call('GET', `/queues/${QUEUE}`);
          return (body as { suspended: number }).suspended === JOBS;
        },
        PATIENCE,
      );
    }

    /** Sends a signal to both replicas at the same time. @returns how many jobs each woke. */
    function signalled(key: string): Promise<readonly number[]> {
      const send = async (service: ServiceProcess): Promise<number> => {
        const { body } = await service.call('POST', `/queues/${QUEUE}/signals/${key}`);
        return (body as { woken: number }).woken;
      };
      return Promise.all(replicas.running.map(send));
    }

    async function expectOneCallEach(): Promise<void> {
      await eventually(
        'all jobs have ended',
        async () => {
          const { body } = await replicas.next.call('GET', `/queues/${QUEUE}/jobs?length=1`);
          const { waiting, active, delayed } = (body as { counts: Record<string, number> }).counts;
          return waiting === 0 && active === 0 && delayed === 0;
        },
        PATIENCE,
      );
      const ids = endpoint.calls.map(({ body }) => body.job.id);
      const counts = new Map<string, number>();
      for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
      expect(counts.size).to.equal(JOBS);
      // One before the wait, and one after it.
      expect([...counts.values()].filter((count) => count !== 2)).to.deep.equal([]);
    }

    // holds: steps.faults
    it('make one call for the signal of one job that reaches both', async () => {
      await waiting((index) => `paid-${index}`);
      const woken = await Promise.all(
        Array.from({ length: JOBS }, (_, index) => signalled(`paid-${index}`)),
      );
      expect(woken.filter(([one = 0, other = 0]) => one + other !== 1)).to.deep.equal([]);
      await expectOneCallEach();
    }).timeout(120_000);

    // holds: steps.faults
    it('make one call for each job that one signal wakes that reaches both', async () => {
      await waiting(() => 'all');
      const woken = await signalled('all');
      expect(woken.reduce((sum, count) => sum + count, 0)).to.equal(JOBS);
      await expectOneCallEach();
    }).timeout(120_000);
  });
}
