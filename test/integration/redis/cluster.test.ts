import { queueNamed } from '../../support/queue-named.ts';
import { claimOf } from '../../contracts/queue-steps.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newJob } from '../../../src/domain/jobs/job.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { describeReplicaSignalsPort } from '../../contracts/replica-signals-port.contract.ts';
import { RedisCluster } from '../../support/redis/redis-cluster.ts';
import { redisSignalsHarness } from '../../support/redis/redis-signals-harness.ts';
import { redisQueueHarness } from '../../support/redis/redis-queue-harness.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { describePortsOfConnections, describePortsOfKeys } from './described-ports.ts';
import { describeService, PARTS_OF_STORES } from '../../e2e/service/describe-service.ts';

/** The store spread over three nodes; a prefix in braces keeps all keys of the queues together. */
describe('Redis Cluster of three nodes', function () {
  this.timeout(30_000);
  let cluster: RedisCluster;
  const connect = (): Promise<TestConnections> => TestConnections.openCluster(cluster.addresses);

  before(async () => {
    cluster = await RedisCluster.start(3);
  });
  after(() => cluster.stop());

  const harness = (): Promise<QueueHarness> =>
    redisQueueHarness(connect, `{contract-${randomUUID()}}`);

  describePortsOfConnections('Redis Cluster', harness);
  describePortsOfKeys('Redis Cluster', harness);
  describeReplicaSignalsPort('Redis Cluster', () => redisSignalsHarness(connect));

  // holds: service.cluster-mode, settings.cluster-nodes
  it('runs queues whose tags live on different nodes', async () => {
    const connections = await connect();
    for (const tag of ['one', 'two', 'three', 'four', 'five']) {
      const { queues, attempts } = redisReplica(connections, { prefix: `{${tag}}` });
      await queues.add(queueNamed('mail'), [newJob({ name: 'a', data: tag }, '')]);
      const claim = await attempts.claim(
        queueNamed('mail'),
        claimOf({ concurrency: 1, lockDuration: 1000 }),
      );
      expect(claim.kind === 'attempt' && claim.attempt.job.data).to.equal(tag);
    }
    connections.close();
  });

  // holds: service.cluster-mode
  it('is refused by the service without a prefix in braces', async () => {
    const { code, errors } = await ServiceProcess.run({
      STORE_CLUSTER_NODES: cluster.addresses.join(','),
    });
    expect(code).to.equal(1);
    expect(errors).to.match(/QUEUE_PREFIX must /);
  });

  describeService(
    'STORE_CLUSTER_NODES',
    () =>
      Promise.resolve({
        STORE_CLUSTER_NODES: cluster.addresses.join(','),
        QUEUE_PREFIX: '{bull}',
      }),
    '{bull}',
    PARTS_OF_STORES,
  );
});
