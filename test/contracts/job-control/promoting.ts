import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import { addEach, ANY, claimOf, HOUR, read, take, takenIds, uniqueQueue } from '../queue-steps.ts';
import { placedJob } from './placed-job.ts';

const NEVER = new AbortController().signal;

export function describePromoting(harness: () => QueueHarness): void {
  describe('promoting a job', () => {
    // holds: actions.promote
    it('lets it wait without a delay', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      const id = await placedJob(harness(), queue, 'delayed');
      await jobControl.promote(queue, id);
      expect(await read(queues, queue, id)).to.include({ state: 'waiting', delay: 0 });
    });

    // holds: actions.promote
    it('lets it queue up behind those that wait, or that have its priority', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const [early, prioritized, ...rest] = await addEach(
        queues,
        queue,
        { delay: HOUR, lifo: true },
        { delay: HOUR, priority: 3 },
        {},
        { priority: 3 },
        { priority: 4 },
      );
      await jobControl.promote(queue, prioritized!);
      await jobControl.promote(queue, early!);
      expect((await read(queues, queue, prioritized!)).state).to.equal('prioritized');
      const [waiting, equal, lower] = rest;
      expect(await takenIds(attempts, queue)).to.deep.equal([
        waiting,
        early,
        equal,
        prioritized,
        lower,
      ]);
    });

    it('keeps the order of those of the highest priority number', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const opts = { delay: HOUR, priority: 2_097_152 };
      const ids = await addEach(queues, queue, opts, opts, opts);
      for (const id of ids) await jobControl.promote(queue, id);
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    for (const opts of [{}, { priority: 2 }]) {
      it(`wakes who waits for jobs: ${JSON.stringify(opts)}`, async () => {
        const { attempts, jobControl, now, advance } = harness();
        const queue = uniqueQueue();
        const id = await placedJob(harness(), queue, 'delayed', opts);
        const idle = await attempts.claim(queue, claimOf(ANY));
        expect(idle.kind).to.equal('idle');
        // Uses up what the add may have left to wake somebody.
        const before = attempts.waitForJobs(queue, now() + 20, NEVER);
        await advance(20);
        await before;
        const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
        await jobControl.promote(queue, id);
        await waiting;
        expect((await take(attempts, queue)).jobId).to.equal(id);
      });
    }
  });
}
