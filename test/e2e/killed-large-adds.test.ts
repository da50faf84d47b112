import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { StartedServices } from '../support/started-services.ts';
import { rounds } from '../support/lane.ts';

const KILLS = rounds(6, 2);

/** How many jobs an add and a flow have: more than one step carries. */
const MANY = 5000;

const ADDED = Array.from({ length: MANY }, () => ({ name: 'work', data: 'x'.repeat(200) }));
const CHILDREN = ADDED.slice(1).map((job) => ({ queue: 'killed', ...job }));
const FLOW = { queue: 'killed', name: 'report', data: 1, children: CHILDREN };

const STORES: Readonly<Record<string, (folder: string) => Promise<Record<string, string>>>> = {
  embedded: (folder) => Promise.resolve({ STORE_PATH: folder }),
  postgres: async () => {
    const { uri, schema } = await freshSchema();
    return { STORE_URI: uri, STORE_SCHEMA: schema };
  },
};

describe('a service that is killed while it adds many jobs', () => {
  const services = new StartedServices();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-'));
  });

  afterEach(async () => {
    await services.kill();
    await rm(folder, { recursive: true });
  });

  for (const [store, environmentIn] of Object.entries(STORES)) {
    // holds: adding.large, add.atomic
    it(`has all of an add or a flow, or nothing, with STORE=${store}`, async () => {
      const environment = await environmentIn(folder);
      const random = seededRandom(60);
      let acknowledged = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const service = await services.start(environment);
        const { body } = await service.call('GET', '/queues/killed');
        const { counts = {} } = (body ?? {}) as { counts?: Readonly<Record<string, number>> };
        const found = Object.values(counts).reduce((sum, count) => sum + count, 0);
        expect(found % MANY).to.equal(0);
        expect(found / MANY).to.be.at.least(acknowledged);
        acknowledged = found / MANY;
        const [path, request] = kill % 2 === 0 ? ['/queues/killed/jobs', ADDED] : ['/flows', FLOW];
        const answered = service.call('POST', path, request).then(
          ({ status }) => status,
          () => 0,
        );
        await Promise.race([answered, sleep(random() * 1000)]);
        await services.kill();
        if ((await answered) === 200) acknowledged += 1;
      }
    }).timeout(120_000);
  }
});
