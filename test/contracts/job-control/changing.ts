import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  HOUR,
  read,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { placedJob } from './placed-job.ts';

const NEVER = new AbortController().signal;

export function describeChanging(harness: () => QueueHarness): void {
  describe('changing a job', () => {
    for (const state of ['waiting', 'prioritized', 'delayed'] as const) {
      // holds: actions.change
      it(`replaces the data of a job that is ${state}, and nothing else`, async () => {
        const { queues, jobControl } = harness();
        const queue = uniqueQueue();
        const id = await placedJob(harness(), queue, state);
        const before = await read(queues, queue, id);
        for (const data of [{ new: [1, 'ü'] }, null]) {
          await jobControl.change(queue, id, { data });
          expect(await read(queues, queue, id)).to.deep.equal({ ...before, data });
        }
      });
    }

    // holds: actions.change
    it('moves a job behind those of its new priority', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const [lower, raised, last, equal, waiting] = await addEach(
        queues,
        queue,
        { priority: 9 },
        { priority: 9 },
        { priority: 5 },
        { priority: 3 },
        {},
      );
      await jobControl.change(queue, raised!, { priority: 3, data: 'raised' });
      const job = await read(queues, queue, raised!);
      expect(job).to.include({ state: 'prioritized', data: 'raised' });
      expect(job.opts.priority).to.equal(3);
      expect(await takenIds(attempts, queue)).to.deep.equal([waiting, equal, raised, last, lower]);
    });

    // holds: actions.change
    it('gives a waiting job a priority, and takes it away', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const [lowered, raised, other] = await addEach(queues, queue, {}, { priority: 1 }, {});
      await jobControl.change(queue, lowered!, { priority: 2_097_152 });
      await jobControl.change(queue, raised!, { priority: 0 });
      const [one, two] = [await read(queues, queue, lowered!), await read(queues, queue, raised!)];
      expect([one.state, one.opts.priority]).to.deep.equal(['prioritized', 2_097_152]);
      expect([two.state, two.opts.priority]).to.deep.equal(['waiting', 0]);
      expect(await takenIds(attempts, queue)).to.deep.equal([other, raised, lowered]);
    });

    it('shows no priority of a job that never had one', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await jobControl.change(queue, id, { priority: 0 });
      expect((await read(queues, queue, id)).opts).not.to.have.property('priority');
    });

    it('keeps the new priority when a job is put back', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const [changed, other] = await addEach(queues, queue, { priority: 9 }, { priority: 5 });
      await jobControl.change(queue, changed!, { priority: 1 });
      await attempts.release(queue, await take(attempts, queue));
      expect((await read(queues, queue, changed!)).state).to.equal('prioritized');
      expect(await takenIds(attempts, queue)).to.deep.equal([changed, other]);
    });

    // holds: actions.change
    it('lets a delay count from the change', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const id = await placedJob(harness(), queue, 'delayed');
      await advance(1000);
      await jobControl.change(queue, id, { delay: 5000, data: 'sooner' });
      const job = await read(queues, queue, id);
      expect(job).to.include({ state: 'delayed', delay: 5000, data: 'sooner' });
      await advance(4999);
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      await advance(1);
      expect((await take(attempts, queue)).jobId).to.equal(id);
    });

    it('wakes who waits when a delay ends sooner', async () => {
      const { attempts, jobControl, now, advance } = harness();
      const queue = uniqueQueue();
      const id = await placedJob(harness(), queue, 'delayed');
      // Uses up what the add left to wake somebody.
      const before = attempts.waitForJobs(queue, now() + 20, NEVER);
      await advance(20);
      await before;
      const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
      await jobControl.change(queue, id, { delay: 0 });
      await waiting;
      expect((await take(attempts, queue)).jobId).to.equal(id);
    });

    for (const state of ['waiting', 'delayed'] as const) {
      // holds: actions.refused
      it(`makes all of a change or none: a job that is ${state}`, async () => {
        const { queues, jobControl } = harness();
        const queue = uniqueQueue();
        const id = await placedJob(harness(), queue, state);
        const before = await read(queues, queue, id);
        const other = state === 'waiting' ? { delay: 1 } : { priority: 1 };
        for (const change of [other, { priority: 1, delay: 1 }]) {
          const outcome = await jobControl.change(queue, id, { ...change, data: 'new' });
          expect(outcome).to.deep.equal({ kind: 'refused', state });
        }
        expect(await read(queues, queue, id)).to.deep.equal(before);
      });
    }
  });
}
