import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { isSlowLane } from '../../support/lane.ts';
import { redisQueueHarness } from '../../support/redis/redis-queue-harness.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { TestConnections } from '../../support/redis/redis-stores.ts';
import { describePortsOfConnections, describePortsOfKeys } from './described-ports.ts';

describe('the ports on Redis', () => {
  let server: RedisServer;

  before(async () => {
    // Time passes in steps over all keys of a server, so it has no others.
    server = await RedisServer.start();
  });
  after(() => server.stop());

  const harness = (): Promise<QueueHarness> =>
    redisQueueHarness(() => TestConnections.open(server.uri));

  describePortsOfConnections('Redis', harness);

  // The Cluster plays them everyday: its nodes refuse keys of others besides.
  if (isSlowLane) describePortsOfKeys('Redis', harness);
});
