import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { KeptWorkers } from '../../../src/application/kept/workers.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

describe('RedisCollection of workers', () => {
  let connections: TestConnections;
  let store: KeptWorkers;
  let key: string;

  beforeEach(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    const prefix = `workers-${randomUUID()}`;
    key = `${prefix}:workers`;
    store = redisReplica(connections, { prefix }).workers;
  });
  afterEach(() => connections.close());

  // holds: record.bad
  it('reports records that are no workers, and returns the others', async () => {
    const good = {
      queue: queueNamed('good'),
      endpoint: { url: 'http://localhost/', method: 'post' },
    } as const;
    await store.put(good.queue, () => good);
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
    const found = await store.list(await store.ids());
    expect([...found.records.values()]).to.deep.equal([good]);
    expect(Object.fromEntries(found.invalid)).to.deep.equal({
      'not-json': 'The record is not JSON',
      'not-an-object': 'The record is not an object',
      'other-queue': 'The record names another queue',
      'no-endpoint': 'endpoint must be an object',
      'bad-url': 'endpoint.url must be a valid http or https URL without user name or password',
      'bad-opts': 'opts.concurrency must be an integer of at least 1',
      x: 'queue must be a string of 3 to 100 characters without ":" or control characters',
    });
    expect(await store.find(queueNamed('not-json'))).to.equal(undefined);
    const better = { ...good, queue: queueNamed('not-json') };
    await store.put(better.queue, (kept) => (kept === undefined ? better : undefined));
    expect(await store.find(better.queue)).to.deep.equal(better);
  });

  // holds: workers.headers
  it('reads a worker of an earlier version with more headers than one may be registered with', async () => {
    const value = 'x'.repeat(16_384);
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, value]));
    const endpoint = { url: 'http://localhost/', method: 'post', headers } as const;
    const large = { queue: queueNamed('large'), endpoint };
    await connections.commands.hset(key, large.queue, JSON.stringify(large));
    expect((await store.list([large.queue])).records.get(large.queue)).to.deep.equal(large);
    expect(await store.find(large.queue)).to.deep.equal(large);
  });
});
