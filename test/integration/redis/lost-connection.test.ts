import { once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { SharedRedisConnections } from '../../../src/adapters/outbound/redis/connection/shared-redis-connections.ts';
import { isStoreUnavailable } from '../../../src/domain/errors.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { addOne, countsOf, uniqueQueue } from '../../contracts/queue-steps.ts';
import { rejection } from '../../support/rejection.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { redisReplica } from '../../support/redis/redis-stores.ts';
import { silentLogger } from '../../support/silent-logger.ts';

describe('A connection to the store that is lost', () => {
  let server: RedisServer;
  let connections: SharedRedisConnections;

  beforeEach(async () => {
    server = await RedisServer.start();
    const topology = { kind: 'single', host: '127.0.0.1', port: server.port } as const;
    connections = new SharedRedisConnections({ topology }, silentLogger, new SystemClock(), '');
    await connections.start();
  });

  afterEach(async () => {
    await connections.stop();
    await server.stop();
  });

  // holds: bounds.short-stall
  it('lets what comes meanwhile wait until it is made again', async () => {
    const { queues } = redisReplica(connections, { outage: connections.outage });
    const queue = uniqueQueue();
    await addOne(queues, queue);
    const lost = once(connections.commands, 'close');
    const other = new Redis(server.uri);
    await other.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    other.disconnect();
    await lost;
    expect(connections.commands.status).not.to.equal('ready');
    const [job, counts] = await Promise.all([addOne(queues, queue), countsOf(queues, queue)]);
    expect(await queues.find(queue, job.id)).to.include({ state: 'waiting' });
    expect(counts).to.include({ active: 0 });
  });

  // holds: bounds.short-stall
  it('lets nothing wait once it was away for longer', async () => {
    const { queues } = redisReplica(connections, { outage: connections.outage });
    const queue = uniqueQueue();
    await addOne(queues, queue);
    const lost = once(connections.commands, 'close');
    await server.kill();
    await lost;
    const started = performance.now();
    expect(isStoreUnavailable(await rejection(addOne(queues, queue)))).to.equal(true);
    expect(performance.now() - started).to.be.below(2000);
    expect(connections.outage.returning()).to.equal(undefined);
    expect(isStoreUnavailable(await rejection(countsOf(queues, queue)))).to.equal(true);
  });
});
