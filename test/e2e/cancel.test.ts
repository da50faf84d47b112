import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EndpointServer, type EndpointCall } from '../support/endpoint-server.ts';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { testStore } from '../support/redis/test-store.ts';
import { eventually } from '../support/eventually.ts';
import { ServiceProcess } from '../support/service-process.ts';

interface RunningCall {
  readonly queue: string;
  readonly path: string;
  readonly call: EndpointCall;
  /** Makes the endpoint answer. */
  readonly finish: () => void;
}

const STORES: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  PostgreSQL: async () => {
    const { uri, schema } = await freshSchema();
    return { STORE_URI: uri, STORE_SCHEMA: schema };
  },
  Redis: async () => ({
    STORE_URI: (await testStore()).uri,
    WORKER_METADATA_KEY: `cancel:${randomUUID()}`,
  }),
};

for (const [name, store] of Object.entries(STORES)) {
  describe(`cancelling a job whose call runs on another replica, on ${name}`, () => {
    let endpoint: EndpointServer;
    let runner: ServiceProcess;
    let other: ServiceProcess;
    let environment: Readonly<Record<string, string>>;

    before(async () => {
      endpoint = await EndpointServer.start();
      environment = await store();
      runner = await ServiceProcess.start(environment);
      other = await ServiceProcess.start(environment);
    });
    after(async () => {
      await Promise.all([runner.stop(), other.stop()]);
      await endpoint.close();
    });

    /** Makes one replica, which runs nothing else, make a call. */
    async function running(): Promise<RunningCall> {
      const queue = `cancelled-${randomUUID()}`;
      let finish = (): void => undefined;
      endpoint.respond = (_call, response) => {
        finish = () => response.writeHead(200).end();
      };
      other.signal('SIGSTOP');
      try {
        const worker = { queue, endpoint: { url: endpoint.url, method: 'post' } };
        const job = { name: 'long', data: 1, opts: { attempts: 5, jobId: 'one' } };
        // The other replica may hold the lock of the store until the server ends its transaction.
        await eventually('the job is added', async () => {
          const registered = await runner.call('POST', '/workers', worker);
          const added = await runner.call('POST', `/queues/${queue}/jobs`, [job]);
          return registered.status < 300 && added.status < 300;
        });
        const call = await endpoint.nextCall();
        return { queue, call, path: `/queues/${queue}/jobs/one`, finish };
      } finally {
        other.signal('SIGCONT');
      }
    }

    async function isCancelled(path: string): Promise<void> {
      const { body } = await other.call('GET', path);
      expect(body).to.include({ state: 'failed', failedReason: 'ordered twice', attemptsMade: 1 });
    }

    const cancel = (path: string): ReturnType<ServiceProcess['call']> =>
      other.call('POST', `${path}/cancel`, { reason: 'ordered twice' });

    // holds: cancel.aborts, cancel.fails
    it('aborts the call within a second', async () => {
      const { path, call } = await running();
      const startedAt = Date.now();
      expect(await cancel(path)).to.include({ status: 200, body: 'OK' });
      expect(await call.answered).to.equal(false);
      expect(Date.now() - startedAt).to.be.below(1000);
      await isCancelled(path);
      expect(await cancel(path)).to.include({ status: 409, body: 'Job is failed' });
    });

    // holds: flows.cancel-children
    it('aborts the calls for all children of a parent that is cancelled with them', async () => {
      const queue = `called-off-${randomUUID()}`;
      endpoint.respond = () => undefined;
      const [target, opts] = [{ url: endpoint.url, method: 'post' }, { concurrency: 2 }];
      await runner.call('POST', '/workers', { queue, endpoint: target, opts });
      const part = { queue, name: 'part', data: 1 };
      const tree = { ...part, queue: `${queue}-above`, children: [part, part, part] };
      const { id } = (await runner.call('POST', '/flows', tree)).body as { readonly id: string };
      const calls = [await endpoint.nextCall(), await endpoint.nextCall()];
      const startedAt = Date.now();
      const path = `/queues/${queue}-above/jobs/${id}/cancel`;
      expect(await other.call('POST', path, { children: true })).to.include({ status: 200 });
      expect(await Promise.all(calls.map(({ answered }) => answered))).to.deep.equal([
        false,
        false,
      ]);
      expect(Date.now() - startedAt).to.be.below(1000);
      const { body } = await runner.call('GET', `/queues/${queue}/jobs?length=0`);
      expect(body).to.have.property('counts').that.includes({ active: 0, waiting: 0, failed: 3 });
    });

    // holds: cancel.dead-replica
    it('ends the job of a replica that is dead', async () => {
      const { path } = await running();
      runner.signal('SIGKILL');
      expect((await cancel(path)).status).to.equal(200);
      await isCancelled(path);
      runner = await ServiceProcess.start(environment);
    });

    // holds: cancel.dead-replica, cancel.token
    it('ends the job of a replica that hangs, and ignores its later result', async () => {
      const { path, call, finish } = await running();
      runner.signal('SIGSTOP');
      try {
        // The replica may hold the lock of the store until the server ends its transaction.
        await eventually('the job is cancelled', async () => (await cancel(path)).status !== 503);
        finish();
        await call.answered;
      } finally {
        runner.signal('SIGCONT');
      }
      expect((await runner.call('GET', '/health/ready')).status).to.equal(200);
      await isCancelled(path);
      expect(endpoint.calls.filter(({ body }) => body.token === call.body.token)).to.have.length(1);
    });
  });
}
