import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { claimCall } from './batches.ts';
import {
  addEach,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  HOUR,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

/** How far (ms) a window opens ahead; long enough for the claims before it. */
const SOON = 2000;

/** How late (ms) a replica may open. */
const LATEST = 200;

export function describeWindows(harness: () => QueueHarness): void {
  describe('the open time of a queue', () => {
    const open = { from: -Infinity, to: Infinity };
    const over = { from: -Infinity, to: 0 };
    const later = () => ({ from: harness().now() + HOUR, to: Infinity });

    // holds: windows.starts
    it('lets no claim start a job outside of it, alone, for a call with several jobs and beside an ending', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const running = await take(attempts, queue, { ...ANY, openTime: open });
      for (const openTime of [later(), over]) {
        const claim = await attempts.claim(queue, claimOf({ ...ANY, openTime }));
        expect(claim.kind).to.equal('limited');
        const { attempts: claimed, lack } = await claimCall(attempts, queue, 2, {
          terms: { ...ANY, openTime },
        });
        expect(claimed).to.deep.equal([]);
        expect(lack?.kind).to.equal('limited');
      }
      const next = claimOf({ ...ANY, openTime: later() });
      const settled = await attempts.settle(queue, running, COMPLETED, next);
      expect(settled.held).to.equal(true);
      expect(settled.next?.kind).to.equal('limited');
      expect(await countsOf(queues, queue)).to.include({ completed: 1, waiting: 2, active: 0 });
      await take(attempts, queue, { ...ANY, openTime: open });
    });

    // holds: windows.starts
    it('begins on all replicas at the same moment', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await addEach(queues, queue, {}, {});
      const refusedAt = async (each: QueueHarness['attempts'], from: number) => {
        const openTime = { from, to: Infinity };
        const claim = await each.claim(queue, claimOf({ ...ANY, openTime }));
        if (claim.kind !== 'limited') throw new Error(`The claim got ${claim.kind}`);
        // How long it would have waited says what time it is in the store.
        return from - (claim.until - harness().now());
      };
      const storeTime = await refusedAt(attempts, harness().now() + HOUR);
      const openTime = { from: storeTime + SOON, to: Infinity };
      for (const each of [attempts, replica.attempts]) await refusedAt(each, openTime.from);
      await advance(SOON + LATEST);
      // The time of the harness is not that of a store with a clock of its own.
      const latest = openTime.from + LATEST;
      await eventually('it is time', async () => {
        return (await refusedAt(attempts, harness().now() + HOUR)) >= latest;
      });
      for (const each of [attempts, replica.attempts]) {
        await take(each, queue, { ...ANY, openTime });
      }
    });
  });
}
