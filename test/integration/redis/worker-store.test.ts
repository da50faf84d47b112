import { silentLogger } from '../../support/silent-logger.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { workerShape } from '../../../src/domain/workers/worker.ts';
import { StoreCommands } from '../../../src/adapters/outbound/redis/connection/store-commands.ts';
import { RedisKeyChecks } from '../../../src/adapters/outbound/redis/workers/redis-key-checks.ts';
import { RedisWorkerStore } from '../../../src/adapters/outbound/redis/workers/redis-worker-store.ts';
import { describeKeyCheckStorePort } from '../../contracts/key-check-store-port.contract.ts';
import { describeSealedWorkers, sealedHarness } from '../../contracts/sealed-workers.contract.ts';
import { describeWorkerStorePort } from '../../contracts/worker-store-port.contract.ts';
import { EVENTS_KEPT, TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';
import { silentErrors } from '../../support/redis/redis-stores.ts';

const shape = workerShape(queueName({ min: 3, max: 100 }));

const commandsOn = ({ commands }: TestConnections): StoreCommands =>
  new StoreCommands(commands, silentErrors(), EVENTS_KEPT, silentLogger);

function storeOn(connections: TestConnections, key: string, most?: number): RedisWorkerStore {
  return new RedisWorkerStore(commandsOn(connections), key, shape, most);
}

/** A store, others of it for more replicas, and the end of them all. */
async function replicasOf<Store>(storeOf: (connections: TestConnections) => Store) {
  const { uri } = await testStore();
  const opened: TestConnections[] = [];
  const replica = async (): Promise<Store> => {
    const connections = await TestConnections.open(uri);
    opened.push(connections);
    return storeOf(connections);
  };
  const dispose = (): Promise<void> => {
    for (const connections of opened) connections.close();
    return Promise.resolve();
  };
  return { store: await replica(), replica, dispose };
}

const harness = (most?: number) => {
  const key = `workers-${randomUUID()}`;
  return replicasOf((connections) => storeOn(connections, key, most));
};

const keyChecksHarness = () => {
  const prefix = `keys-${randomUUID()}`;
  return replicasOf((connections) => new RedisKeyChecks(commandsOn(connections), prefix));
};

const sealedStoreHarness = async () => {
  const [workers, checks] = [await harness(), await keyChecksHarness()];
  const dispose = async (): Promise<void> => {
    await workers.dispose();
    await checks.dispose();
  };
  return { ...workers, checks: checks.store, dispose };
};

describeWorkerStorePort('Redis', harness);
describeWorkerStorePort('Redis, sealed', sealedHarness(harness));
describeSealedWorkers('Redis', sealedStoreHarness);
describeKeyCheckStorePort('Redis', keyChecksHarness);

describe('RedisWorkerStore', () => {
  let connections: TestConnections;
  const key = `workers-${randomUUID()}`;

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
  });
  after(() => connections.close());

  // holds: record.bad
  it('reports records that are no workers, and returns the others', async () => {
    const store = storeOn(connections, key);
    const good = {
      queue: queueNamed('good'),
      endpoint: { url: 'http://localhost/', method: 'post' },
    } as const;
    await store.save(good);
    const records = {
      'not-json': 'x',
      'not-an-object': '[]',
      'other-queue': JSON.stringify(good),
      'no-endpoint': '{"queue":"no-endpoint"}',
      'bad-url': '{"queue":"bad-url","endpoint":{"url":"ftp://x","method":"post"}}',
      'bad-opts':
        '{"queue":"bad-opts","endpoint":{"url":"http://x/","method":"post"},"opts":{"concurrency":0}}',
      x: '{"queue":"x","endpoint":{"url":"http://x/","method":"post"}}',
    };
    await connections.commands.hset(key, records);
    const { workers, invalid } = await store.findEach(await store.queues());
    expect(workers).to.deep.equal([good]);
    const problems = Object.fromEntries(invalid.map(({ queue, problem }) => [queue, problem]));
    expect(problems).to.deep.equal({
      'not-json': 'The record is not JSON',
      'not-an-object': 'The record is not an object',
      'other-queue': 'The record names another queue',
      'no-endpoint': 'endpoint must be an object',
      'bad-url': 'endpoint.url must be a valid http or https URL without user name or password',
      'bad-opts': 'opts.concurrency must be an integer of at least 1',
      x: 'queue must be a string of 3 to 100 characters without ":" or control characters',
    });
    expect(await store.find(queueNamed('not-json'))).to.equal(undefined);
  });

  // holds: workers.headers
  it('reads a worker of an earlier version with more headers than one may be registered with', async () => {
    const store = storeOn(connections, `${key}-large`);
    const value = 'x'.repeat(16_384);
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, value]));
    const endpoint = { url: 'http://localhost/', method: 'post', headers } as const;
    const large = { queue: queueNamed('large'), endpoint };
    await connections.commands.hset(`${key}-large`, large.queue, JSON.stringify(large));
    expect(await store.findEach([large.queue])).to.deep.equal({ workers: [large], invalid: [] });
    expect(await store.find(large.queue)).to.deep.equal(large);
  });
});
