import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

describe('RedisOneTimeStore', () => {
  // Replicas of earlier versions stored codes of repairs without a content.
  for (const content of ['', '{"a":']) {
    it(`takes a secret whose content cannot be read for one that has expired: "${content}"`, async () => {
      const connections = await TestConnections.open((await testStore()).uri);
      try {
        const { oneTime } = redisReplica(connections);
        const client = connections.commands;
        const secret = randomUUID();
        const owner = randomUUID();
        await oneTime.save(secret, true, { owner, life: 60_000, most: 1 });
        const [key = ''] = await client.zrange(`bull::jobgate:tickets:${owner}`, 0, 0);
        await client.set(key, content);
        expect(await oneTime.take(secret)).to.equal(undefined);
        expect(await client.exists(key)).to.equal(0);
      } finally {
        connections.close();
      }
    });
  }
});
