import { expect } from 'chai';
import { memoryAttempts } from '../../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { memorySchedulers } from '../../../src/adapters/outbound/memory/ports/memory-schedulers.ts';
import { newScheduler } from '../../../src/domain/schedulers/scheduler.ts';
import { takenIds, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';

describe('a scheduler on a store whose memory is full', () => {
  // holds: store.full-memory
  it('skips its slots, shows the last of them, and makes jobs again once there is room', async () => {
    const clock = new FakeClock();
    let isFull = false;
    const store = memoryStore(clock, { skipsSlots: () => isFull });
    const [schedulers, attempts] = [memorySchedulers(store), memoryAttempts(store)];
    const queue = uniqueQueue();
    const job = { name: 'work', data: null };
    const made = newScheduler('report', { repeat: { every: 1000 }, job });
    await schedulers.save(queue, 'report', made, 10);
    const planned = async (): Promise<number> =>
      (await schedulers.find(queue, 'report'))?.planned?.slot ?? 0;
    isFull = true;
    let slot = 0;
    for (let slots = 0; slots < 3; slots += 1) {
      slot = await planned();
      await clock.advance(slot - clock.now());
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      expect(await schedulers.find(queue, 'report')).to.deep.include({
        skipped: { at: slot, reason: 'memory' },
        planned: { slot: slot + 1000, count: 1 },
      });
    }
    expect(await schedulers.slots([queue])).to.have.nested.property('[0].skipped.at', slot);
    isFull = false;
    await clock.advance((await planned()) - clock.now());
    expect(await takenIds(attempts, queue)).to.deep.equal([`repeat:report:${slot + 1000}`]);
    expect(await schedulers.find(queue, 'report')).to.have.nested.property('skipped.at', slot);
  });
});
