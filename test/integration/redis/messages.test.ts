import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { addEach, addOne, read, statusOf, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { MessagesInTest } from '../../support/receives-in-test.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

const NEVER = (): AbortSignal => new AbortController().signal;

/** What messages need of the replica that hands them out, beyond the contracts of the store. */
describe('messages on Redis', () => {
  let connections: TestConnections;
  let replica: RedisReplica;
  let messages: MessagesInTest;

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    replica = redisReplica(connections, { prefix: `messages-${randomUUID()}`, stalledGrace: 5000 });
    messages = new MessagesInTest(replica, new MemorySignals(), new SystemClock());
    await messages.start();
  });
  after(async () => {
    await messages.stop();
    connections.close();
  });

  const receive = async (queue: QueueName, visibility: number, wait = 0): Promise<Attempt> => {
    const input = { visibility, wait };
    const [attempt] = await messages.receives.receive(queue, input, NEVER);
    if (attempt === undefined) throw new Error('No message');
    return attempt;
  };

  // holds: messages.visible, messages.order
  it('come back soon after their time is over, each time, in the order of their group', async () => {
    const queue = uniqueQueue();
    messages.policy = { groups: { ordered: 'skip', concurrency: 1 } };
    const group = { group: { id: 'a' } };
    const [first] = await addEach(replica.queues, queue, group, group);
    let startedAt = 0;
    for (let receives = 1; receives <= 4; receives += 1) {
      const { job } = await receive(queue, 100, 5000);
      expect(job).to.include({ id: first, attemptsStarted: receives });
      const { processedOn = 0 } = job;
      if (receives > 1) expect(processedOn - startedAt).to.be.within(100, 1000);
      startedAt = processedOn;
    }
  });

  // holds: messages.change
  it('come back at once when their client says so', async () => {
    messages.policy = {};
    const queue = uniqueQueue();
    const { id } = await addOne(replica.queues, queue);
    const attempt = await receive(queue, 60_000);
    const waiting = receive(queue, 60_000, 5000);
    await messages.receives.changeVisibility(queue, attempt, 0);
    const shownAt = Date.now();
    const again = await waiting;
    expect(again.job).to.include({ id, attemptsStarted: 2 });
    expect(Date.now() - shownAt).to.be.below(2000);
    await messages.receives.changeVisibility(queue, again, 200);
    expect((await receive(queue, 60_000, 5000)).job).to.include({ id, attemptsStarted: 3 });
  });

  it('go to the dead letter queue, are deleted, or removed while they wait', async () => {
    const [queue, dead] = [uniqueQueue(), uniqueQueue()];
    messages.policy = { messages: { redrive: { maxReceives: 1, queue: dead } } };
    await addOne(replica.queues, queue, { jobId: 'letter' });
    await messages.receives.changeVisibility(queue, await receive(queue, 60_000), 0);
    expect(await read(replica.queues, queue, 'letter')).to.include({
      state: 'failed',
      failedReason: 'Received 1 time',
    });
    const { jobId, job } = await take(replica.attempts, dead);
    expect(jobId).to.equal('letter');
    expect(job.opts).to.have.nested.property('origin.queue', queue);
    messages.policy = {};
    await addEach(replica.queues, queue, { jobId: 'held' }, { jobId: 'shown' });
    const held = await receive(queue, 60_000);
    await messages.receives.delete(queue, { ...held, receives: 1 });
    expect(await statusOf(replica.queues, queue, 'held')).to.deep.equal(['completed']);
    const shown = await receive(queue, 60_000);
    await messages.receives.changeVisibility(queue, shown, 0);
    await messages.receives.delete(queue, { ...shown, receives: 1 });
    expect(await statusOf(replica.queues, queue, 'shown')).to.deep.equal([]);
  });
});
