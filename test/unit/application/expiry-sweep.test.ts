import { expect } from 'chai';
import { ExpirySweep } from '../../../src/application/maintenance/expiry-sweep.ts';
import { Rounds } from '../../../src/application/running/rounds.ts';
import type { AttemptEvent } from '../../../src/application/ports/attempt-observer.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { addOne, read, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { unobserved } from '../../support/unobserved.ts';

describe('ExpirySweep', () => {
  // holds: ttl.sweep
  it('fails jobs soon after they expire, in queues without a worker', async () => {
    const { queues, expiry, clock } = memoryQueueHarness();
    const events: AttemptEvent[] = [];
    const observer = { observe: (event: AttemptEvent) => events.push(event) };
    const sweep = new Rounds(new ExpirySweep(expiry, observer, silentLogger), clock, silentLogger);
    await sweep.start();
    const queue = uniqueQueue();
    const { id } = await addOne(queues, queue, { ttl: 3000, delay: 60_000 });
    await clock.advance(2999);
    expect(await read(queues, queue, id)).to.include({ state: 'delayed' });
    await clock.advance(501);
    const expired = { state: 'failed', failedReason: 'Expired after 3000 ms', delay: 0 };
    expect(await read(queues, queue, id)).to.include(expired);
    const jobs = [{ id, reason: 'Expired after 3000 ms' }];
    expect(events).to.deep.equal([{ kind: 'failed', queue, jobs }]);
    await sweep.stop();
  });

  it('goes on when the store is back, and after a defect', async () => {
    const clock = new FakeClock();
    let rounds = 0;
    const failures = [storeUnavailable(new Error('gone')), new Error('a defect')];
    const expireDue = () => {
      rounds += 1;
      const failure = failures.shift();
      if (failure !== undefined) return Promise.reject(failure);
      return Promise.resolve({ expired: [], isDone: true });
    };
    const work = new ExpirySweep({ expireDue }, unobserved, silentLogger);
    const sweep = new Rounds(work, clock, silentLogger);
    await sweep.start();
    await clock.advance(1500);
    expect(rounds).to.equal(4);
    await sweep.stop();
  });
});
