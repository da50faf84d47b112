import { once } from 'node:events';
import { expect } from 'chai';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  HOUR,
  take,
  takenIds,
} from '../../contracts/queue-steps.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

describeBesideNative('holding a queue beside native BullMQ clients', (clients) => {
  const claim = (): Promise<Claim> => clients.replica.attempts.claim(clients.name, claimOf(ANY));

  const defer = async (): Promise<void> => {
    await clients.replica.attempts.settle(
      clients.name,
      await take(clients.replica.attempts, clients.name),
      {
        kind: 'deferred',
        reason: 'not now',
        scope: 'queue',
        until: Date.now() + HOUR,
        call: { outcome: 'deferred', status: 429 },
      },
    );
  };

  // holds: defer.native
  it('lets a native worker process what waits, what was deferred among it', async () => {
    const ids = await addEach(clients.replica.queues, clients.name, {}, { priority: 3 });
    await defer();
    const done: (string | undefined)[] = [];
    const processor = (): Promise<string> => Promise.resolve('done');
    const worker = clients.worker(clients.name, processor, { autorun: false });
    worker.on('completed', (job) => done.push(job.id));
    const drained = once(worker, 'drained');
    void worker.run();
    await drained;
    expect(done).to.deep.equal(ids);
    expect((await claim()).kind).to.equal('limited');
    await clients.replica.queueControl.endHold(clients.name);
    expect(await claim()).to.deep.equal({ kind: 'idle' });
  });

  // holds: defer.native
  it('leaves a queue paused or limited that a native client pauses or limits', async () => {
    const native = clients.queue();
    const { id } = await addOne(clients.replica.queues, clients.name);
    await native.setGlobalConcurrency(5);
    await defer();
    await native.pause();
    await native.rateLimit(HOUR);
    await clients.replica.queueControl.endHold(clients.name);
    expect(await native.isPaused()).to.equal(true);
    expect(await native.getGlobalConcurrency()).to.equal(5);
    expect(await native.getRateLimitTtl()).to.be.greaterThan(HOUR - 60_000);
    await native.resume();
    await native.removeRateLimitKey();
    expect(await takenIds(clients.replica.attempts, clients.name)).to.deep.equal([id]);
  });

  it('leaves nothing of a hold or an order behind once jobs start again', async () => {
    await addEach(clients.replica.queues, clients.name, {}, {}, {});
    await take(clients.replica.attempts, clients.name);
    const keys = (): Promise<string[]> =>
      clients.commands.keys(`bull:${clients.name}:jobgate:gate*`);
    await defer();
    expect(await keys()).to.have.lengthOf(3);
    await clients.commands.hset(`bull:${clients.name}:jobgate:gate`, 'heldUntil', Date.now() - 1);
    const attempt = await take(clients.replica.attempts, clients.name);
    expect(await keys()).to.deep.equal([]);
    await clients.replica.attempts.release(clients.name, attempt);
    expect(await keys()).to.have.lengthOf(2);
    await take(clients.replica.attempts, clients.name);
    expect(await keys()).to.deep.equal([]);
    expect(await clients.commands.hexists(`bull:${clients.name}:meta`, 'jobgate:gate')).to.equal(0);
  });
});
