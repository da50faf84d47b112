import { expect } from 'chai';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';

const STORES: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  redis: async () => ({
    STORE_URI: (await testStore()).uri,
    QUEUE_PREFIX: `topics-${process.pid}`,
    WORKER_METADATA_KEY: `topics-${process.pid}:workers`,
  }),
  postgres: async () => {
    const { uri, schema } = await freshSchema();
    return { STORE: 'postgres', STORE_URI: uri, STORE_SCHEMA: schema };
  },
};

interface Published {
  readonly matched: object;
}

for (const [store, environmentOf] of Object.entries(STORES)) {
  describe(`topics over two replicas on ${store}`, () => {
    let replicas: readonly [ServiceProcess, ServiceProcess];

    before(async () => {
      const environment = await environmentOf();
      replicas = await Promise.all([
        ServiceProcess.start(environment),
        ServiceProcess.start(environment),
      ]);
    });
    after(() => Promise.all(replicas.map((replica) => replica.stop())));

    const matchedBy = async (replica: ServiceProcess): Promise<readonly string[]> => {
      const { body } = await replica.call('POST', '/topics/orders?dryRun=true', {
        name: 'paid',
        data: 1,
      });
      return Object.keys((body as Published).matched);
    };

    // holds: topics.replicas
    it('are in force with the answer, and within a second on the other replica', async () => {
      const [here, there] = replicas;
      for (const each of replicas) expect(await matchedBy(each)).to.deep.equal([]);
      for (const [at, id] of ['billing', 'audit'].entries()) {
        const path = `/topics/orders/subscriptions/${id}`;
        expect((await here.call('PUT', path, { queue: id })).status).to.equal(200);
        const changedAt = performance.now();
        expect(await matchedBy(here)).to.have.length(at + 1);
        await eventually('the other replica knows', async () => {
          return (await matchedBy(there)).length === at + 1;
        });
        expect(performance.now() - changedAt).to.be.below(1000);
      }
      await there.call('DELETE', '/topics/orders');
      expect(await matchedBy(there)).to.deep.equal([]);
    });
  });
}
