import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  HOUR,
  jobOf,
  NO_JOBS,
  pausedIn,
  process,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

const ALL_KINDS = [{}, { lifo: true }, { priority: 3 }, { delay: HOUR }] as const;

/** More than any store removes in one step. */
const MANY = 2500;

export function describeDraining(harness: () => QueueHarness, store: string): void {
  describe('draining', () => {
    // holds: queues.drain
    it('removes the waiting and prioritized jobs, and no others', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      await process(attempts, queue, COMPLETED);
      await process(attempts, queue, FAILED);
      const running = await take(attempts, queue);
      const gone = await addEach(queues, queue, ...ALL_KINDS);
      expect(await queueControl.drain(queue, {})).to.equal(3);
      const rest = { ...NO_JOBS, active: 1, delayed: 1, completed: 1, failed: 1 };
      expect(await countsOf(queues, queue)).to.deep.equal(rest);
      expect(await queues.find(queue, gone[0] ?? '')).to.equal(undefined);
      expect(await attempts.settle(queue, running, COMPLETED)).to.deep.equal({ held: true });
    });

    // holds: queues.drain
    it('removes delayed jobs on request, due ones too', async () => {
      const { queues, queueControl, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, ...ALL_KINDS, { delay: 20 });
      await advance(20);
      expect(await queueControl.drain(queue, { delayed: true })).to.equal(5);
      expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
    });

    if (isVolumePlayedOn(store)) {
      it('removes as many as there are', async () => {
        const { queues, queueControl } = harness();
        const queue = uniqueQueue();
        for (const opts of [{}, { priority: 3 }, { delay: HOUR }]) {
          await queues.add(
            queue,
            Array.from({ length: MANY }, () => jobOf(opts)),
          );
        }
        expect(await queueControl.drain(queue, {})).to.equal(2 * MANY);
        expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, delayed: MANY });
        expect(await queueControl.drain(queue, { delayed: true })).to.equal(MANY);
      });
    }

    it('removes large jobs', async () => {
      const { queues, queueControl } = harness();
      const queue = uniqueQueue();
      const data = 'x'.repeat(500_000);
      for (const opts of [{}, { priority: 3 }]) {
        await queues.add(
          queue,
          Array.from({ length: 12 }, () => jobOf(opts, data)),
        );
      }
      expect(await queueControl.drain(queue, {})).to.equal(24);
      expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
    });

    // holds: queues.drain
    it('goes on beside those who add and take jobs, and each job has one fate', async () => {
      const { queues, queueControl } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      await queues.add(
        queue,
        Array.from({ length: MANY }, () => jobOf()),
      );
      const add = async (): Promise<void> => {
        for (let count = 0; count < 10; count += 1) await addOne(other.queues, queue);
      };
      let taken = 0;
      const claim = async (): Promise<void> => {
        for (let count = 0; count < 10; count += 1) {
          if ((await other.attempts.claim(queue, claimOf(ANY))).kind === 'attempt') taken += 1;
        }
      };
      const [removed] = await Promise.all([queueControl.drain(queue, {}), add(), claim()]);
      const { waiting = 0, active } = await countsOf(queues, queue);
      expect(active).to.equal(taken);
      expect(removed + taken + waiting).to.equal(MANY + 10);
      expect(waiting).to.be.at.most(10);
    });

    it('leaves a queue as it was: paused, or ready for other jobs under any id', async () => {
      const { queues, queueControl, attempts, queueDirectory } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { jobId: 'mine' });
      await queueControl.pause(queue);
      await queueControl.drain(queue, {});
      expect(await pausedIn(queueDirectory, queue)).to.equal(true);
      await addOne(queues, queue, { jobId: 'mine' }, 'again');
      await queueControl.resume(queue);
      const { job } = await take(attempts, queue);
      expect([job.id, job.data]).to.deep.equal(['mine', 'again']);
    });

    // holds: queues.drain
    it('finds nothing in a queue that was never there, and does not create it', async () => {
      const { queueControl, queueDirectory } = harness();
      const queue = uniqueQueue();
      expect(await queueControl.drain(queue, { delayed: true })).to.equal(0);
      expect(await pausedIn(queueDirectory, queue)).to.equal(undefined);
    });
  });
}
