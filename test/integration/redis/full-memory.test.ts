import { expect } from 'chai';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import {
  addEach,
  ANY,
  claimOf,
  countsOf,
  HOUR,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';

describe('a store whose memory is used up', () => {
  let server: RedisServer;
  let connections: TestConnections;
  let replica: RedisReplica;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    replica = redisReplica(connections);
  });
  after(async () => {
    connections.close();
    await server.stop();
  });

  it('defers jobs, and holds and releases a queue', async () => {
    const queue = uniqueQueue();
    const claim = (): Promise<Claim> => replica.attempts.claim(queue, claimOf(ANY));
    const [, second] = await addEach(replica.queues, queue, {}, {}, {});
    await take(replica.attempts, queue);
    await connections.commands.config('SET', 'maxmemory', 1);
    await replica.attempts.settle(queue, await take(replica.attempts, queue), {
      kind: 'deferred',
      reason: 'not now',
      scope: 'queue',
      until: Date.now() + HOUR,
      call: { outcome: 'deferred', status: 429 },
    });
    await replica.queueControl.hold(queue, HOUR);
    expect((await claim()).kind).to.equal('limited');
    await replica.queueControl.endHold(queue);
    const attempt = await take(replica.attempts, queue);
    expect(attempt.jobId).to.equal(second);
    await replica.attempts.release(queue, attempt);
    expect(await countsOf(replica.queues, queue)).to.include({ active: 1, waiting: 2 });
  });
});
