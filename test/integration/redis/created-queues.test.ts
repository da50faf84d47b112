import { expect } from 'chai';
import { Scripts } from '../../../src/adapters/outbound/redis/connection/scripts.ts';
import { queueKeys } from '../../../src/adapters/outbound/redis/layout/queue-keys.ts';
import { endRemoval } from '../../../src/adapters/outbound/redis/scripts/families.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { MAX_SCHEDULERS, newScheduler } from '../../../src/domain/schedulers/scheduler.ts';
import {
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  HOUR,
  jobOf,
  repeatable,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { redisReplica, silentErrors, TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

const KEPT = 77;
const PREFIX = 'bull';

describe('queues that jobgate creates', () => {
  let connections: TestConnections;
  let replica: ReturnType<typeof redisReplica>;

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    replica = redisReplica(connections, { eventsKept: KEPT });
  });
  after(() => connections.close());

  const metadata = (queue: QueueName): string => queueKeys(PREFIX, queue).meta;
  const report = () =>
    newScheduler('report', { repeat: { every: HOUR }, job: { name: 'work', data: 1 } });

  const WAYS: Readonly<Record<string, (queue: QueueName) => Promise<unknown>>> = {
    'an add': (queue) => addOne(replica.queues, queue),
    'an add that may be repeated': (queue) =>
      replica.queues.addOnce(queue, repeatable([jobOf()]), {
        key: queue.padEnd(64, 'k'),
        body: 'b'.repeat(64),
      }),
    'a flow': (queue) => {
      const flow = {
        queue,
        id: 'root',
        job: jobOf(),
        parent: undefined,
        onFailure: 'wait',
      } as const;
      return replica.flows.add([{ ...flow, isParent: false }], () => undefined);
    },
    'a pause': (queue) => replica.queueControl.pause(queue),
    'a hold': (queue) => replica.queueControl.hold(queue, HOUR),
    'a policy': (queue) => replica.policies.put(queue, () => ({ maxWaiting: 5 })),
    'a scheduler': (queue) => replica.schedulers.save(queue, 'report', report(), MAX_SCHEDULERS),
  };

  for (const [way, create] of Object.entries(WAYS)) {
    // holds: events.kept, queues.registry
    it(`keep EVENTS_KEPT events and are listed when ${way} creates them`, async () => {
      const queue = uniqueQueue();
      await create(queue);
      const { commands } = connections;
      expect(await commands.hget(metadata(queue), 'opts.maxLenEvents')).to.equal(String(KEPT));
      expect(await replica.queueDirectory.names()).to.include(queue);
    });

    it(`keep as many as a native client asked for when ${way} follows`, async () => {
      const queue = uniqueQueue();
      const { commands } = connections;
      await commands.hset(metadata(queue), 'opts.maxLenEvents', '5');
      await create(queue);
      expect(await commands.hget(metadata(queue), 'opts.maxLenEvents')).to.equal('5');
    });
  }

  // holds: events.kept, queues.registry
  it('keep EVENTS_KEPT events and are listed when a job is added while they are removed', async () => {
    const queue = uniqueQueue();
    await addOne(replica.queues, queue);
    const { commands } = connections;
    await commands.hset(metadata(queue), 'opts.maxLenEvents', '5');
    const scripts = new Scripts(commands, silentErrors(), KEPT);
    await scripts.call(endRemoval, queueKeys(PREFIX, queue));
    expect(await commands.hget(metadata(queue), 'opts.maxLenEvents')).to.equal(String(KEPT));
    expect(await replica.queueDirectory.names()).to.include(queue);
  });

  it('keep EVENTS_KEPT events when a job ends whose queue lost its metadata', async () => {
    const queue = uniqueQueue();
    await addOne(replica.queues, queue);
    const attempt = await take(replica.attempts, queue);
    await connections.commands.del(metadata(queue));
    const next = claimOf(ANY);
    await replica.attempts.settle(queue, attempt, COMPLETED, next);
    expect(await connections.commands.hget(metadata(queue), 'opts.maxLenEvents')).to.equal(
      String(KEPT),
    );
  });
});
