import { once } from 'node:events';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import type { Claim } from '../../../src/application/ports/attempt-port.ts';
import type { QueueName } from '../../../src/domain/queue-name.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  HOUR,
  take,
  takenIds,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { NativeClients } from '../../support/redis/native-clients.ts';
import type { RedisReplica } from '../../support/redis/redis-stores.ts';

describe('holding a queue beside native BullMQ clients', () => {
  let clients: NativeClients;
  let replica: RedisReplica;
  let queue: QueueName;

  before(async () => {
    clients = await NativeClients.open();
    ({ replica } = clients);
  });
  beforeEach(() => {
    queue = uniqueQueue();
  });
  afterEach(() => clients.closeAll());
  after(() => clients.end());

  const claim = (): Promise<Claim> => replica.attempts.claim(queue, claimOf(ANY));

  const defer = async (): Promise<void> => {
    await replica.attempts.settle(queue, await take(replica.attempts, queue), {
      kind: 'deferred',
      reason: 'not now',
      scope: 'queue',
      until: Date.now() + HOUR,
      call: { outcome: 'deferred', status: 429 },
    });
  };

  // holds: defer.native
  it('lets a native worker process what waits, what was deferred among it', async () => {
    const ids = await addEach(replica.queues, queue, {}, { priority: 3 });
    await defer();
    const done: (string | undefined)[] = [];
    const processor = (): Promise<string> => Promise.resolve('done');
    const worker = clients.closing(
      new Worker(queue, processor, { connection: clients.connection, autorun: false }),
    );
    worker.on('completed', (job) => done.push(job.id));
    const drained = once(worker, 'drained');
    void worker.run();
    await drained;
    expect(done).to.deep.equal(ids);
    expect((await claim()).kind).to.equal('limited');
    await replica.queueControl.endHold(queue);
    expect(await claim()).to.deep.equal({ kind: 'idle' });
  });

  // holds: defer.native
  it('leaves a queue paused or limited that a native client pauses or limits', async () => {
    const native = clients.queue(queue);
    const { id } = await addOne(replica.queues, queue);
    await native.setGlobalConcurrency(5);
    await defer();
    await native.pause();
    await native.rateLimit(HOUR);
    await replica.queueControl.endHold(queue);
    expect(await native.isPaused()).to.equal(true);
    expect(await native.getGlobalConcurrency()).to.equal(5);
    expect(await native.getRateLimitTtl()).to.be.greaterThan(HOUR - 60_000);
    await native.resume();
    await native.removeRateLimitKey();
    expect(await takenIds(replica.attempts, queue)).to.deep.equal([id]);
  });

  it('leaves nothing of a hold or an order behind once jobs start again', async () => {
    await addEach(replica.queues, queue, {}, {}, {});
    await take(replica.attempts, queue);
    const keys = (): Promise<string[]> => clients.commands.keys(`bull:${queue}:jobgate:gate*`);
    await defer();
    expect(await keys()).to.have.lengthOf(3);
    await clients.commands.hset(`bull:${queue}:jobgate:gate`, 'heldUntil', Date.now() - 1);
    const attempt = await take(replica.attempts, queue);
    expect(await keys()).to.deep.equal([]);
    await replica.attempts.release(queue, attempt);
    expect(await keys()).to.have.lengthOf(2);
    await take(replica.attempts, queue);
    expect(await keys()).to.deep.equal([]);
    expect(await clients.commands.hexists(`bull:${queue}:meta`, 'jobgate:gate')).to.equal(0);
  });
});
