import { queueNamed } from '../../support/queue-named.ts';
import { claimOf } from '../../contracts/queue-steps.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { describeAttemptEnginePort } from '../../contracts/attempt-engine-port.contract.ts';
import { describeAttemptHolderPort } from '../../contracts/attempt-holder-port.contract.ts';
import { describeAttemptSweepPort } from '../../contracts/attempt-sweep-port.contract.ts';
import { describeBreakerPort } from '../../contracts/breaker-port.contract.ts';
import { describeStepPort } from '../../contracts/step-port.contract.ts';
import { describeTopicPort } from '../../contracts/topic-port.contract.ts';
import { describeGroupStorePort } from '../../contracts/group-store-port.contract.ts';
import { describeCallFiguresPort } from '../../contracts/call-figures-port.contract.ts';
import { describeFiguresPort } from '../../contracts/figures-port.contract.ts';
import { describeSystemPort } from '../../contracts/system-port.contract.ts';
import { describeJobPartPort } from '../../contracts/job-part-port.contract.ts';
import { describeAwaitedAdds } from '../../contracts/awaited-adds.contract.ts';
import { describeAuditStorePort } from '../../contracts/audit-store-port.contract.ts';
import { describeCollectionPort } from '../../contracts/collection-port.contract.ts';
import { describeSharedWorkPort } from '../../contracts/shared-work-port.contract.ts';
import { describeAccessTokenStorePort } from '../../contracts/access-token-store-port.contract.ts';
import { describeEventPort } from '../../contracts/event-port.contract.ts';
import { describeAllEvents } from '../../contracts/all-events.contract.ts';
import { describeEventSubscriptions } from '../../contracts/event-subscriptions.contract.ts';
import { describeStoreHealthPort } from '../../contracts/store-health-port.contract.ts';
import { describeQuotaPort } from '../../contracts/quota-port.contract.ts';
import { describeSettingSetPort } from '../../contracts/setting-set-port.contract.ts';
import { describeSessionStorePort } from '../../contracts/session-store-port.contract.ts';
import { describeOneTimeStorePort } from '../../contracts/one-time-store-port.contract.ts';
import { describeSchedulerPort } from '../../contracts/scheduler-port.contract.ts';
import { describeEndMessages } from '../../contracts/end-messages.contract.ts';
import { describeEndedRemovalPort } from '../../contracts/ended-removal-port.contract.ts';
import { describeRedactionPort } from '../../contracts/redaction-port.contract.ts';
import { describeErasurePort } from '../../contracts/erasure-port.contract.ts';
import { describeExpiryPort } from '../../contracts/expiry-port.contract.ts';
import { describeFlowPort } from '../../contracts/flow-port.contract.ts';
import { describeJobControlPort } from '../../contracts/job-control-port.contract.ts';
import { describeBulkRepairs } from '../../contracts/bulk-repairs.contract.ts';
import { describeRedrives } from '../../contracts/redrives.contract.ts';
import { describeJobEndingsPort } from '../../contracts/job-endings-port.contract.ts';
import { describeJobScanPort } from '../../contracts/job-scan-port.contract.ts';
import { describeQueueControlPort } from '../../contracts/queue-control-port.contract.ts';
import { describeQueueDirectoryPort } from '../../contracts/queue-directory-port.contract.ts';
import { describeQueuePort } from '../../contracts/queue-port.contract.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { describeReplicaSignalsPort } from '../../contracts/replica-signals-port.contract.ts';
import { isSlowLane } from '../../support/lane.ts';
import { RedisCluster } from '../../support/redis/redis-cluster.ts';
import { redisSignalsHarness } from '../../support/redis/redis-signals-harness.ts';
import { redisQueueHarness } from '../../support/redis/redis-queue-harness.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { ServiceProcess } from '../../support/service-process.ts';
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

  describeQueuePort('Redis Cluster', harness);
  describeAttemptEnginePort('Redis Cluster', harness);
  describeQueueControlPort('Redis Cluster', harness);
  describeJobEndingsPort('Redis Cluster', harness);
  describeSchedulerPort('Redis Cluster', harness);
  describeAwaitedAdds('Redis Cluster', harness);
  describeEventPort('Redis Cluster', harness);
  describeEventSubscriptions('Redis Cluster', harness);
  describeAllEvents('Redis Cluster', harness);
  describeOneTimeStorePort('Redis Cluster', harness);
  describeQuotaPort('Redis Cluster', harness);
  describeSessionStorePort('Redis Cluster', harness);
  describeSettingSetPort('Redis Cluster', harness);
  describeQueueDirectoryPort('Redis Cluster', harness);
  describeEndedRemovalPort('Redis Cluster', harness);
  describeRedactionPort('Redis Cluster', harness);
  describeErasurePort('Redis Cluster', harness);
  describeExpiryPort('Redis Cluster', harness);
  describeEndMessages('Redis Cluster', harness);
  describeFlowPort('Redis Cluster', harness);
  describeAuditStorePort('Redis Cluster', harness);
  describeAccessTokenStorePort('Redis Cluster', harness);
  describeCollectionPort('Redis Cluster', harness);
  describeSharedWorkPort('Redis Cluster', harness);
  describeCallFiguresPort('Redis Cluster', harness);
  describeFiguresPort('Redis Cluster', harness);
  describeSystemPort('Redis Cluster', harness);
  describeJobPartPort('Redis Cluster', harness);
  describeBreakerPort('Redis Cluster', harness);
  describeStepPort('Redis Cluster', harness);
  describeTopicPort('Redis Cluster', harness);
  describeStoreHealthPort('Redis Cluster', harness);

  // Each step of these is a script on the keys of one queue, as of many that are played above.
  if (isSlowLane) {
    describeJobControlPort('Redis Cluster', harness);
    describeJobScanPort('Redis Cluster', harness);
    describeBulkRepairs('Redis Cluster', harness);
    describeRedrives('Redis Cluster', harness);
    describeGroupStorePort('Redis Cluster', harness);
    describeAttemptHolderPort('Redis Cluster', harness);
    describeAttemptSweepPort('Redis Cluster', harness);
  }

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
