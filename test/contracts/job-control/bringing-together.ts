import { expect } from 'chai';
import { addMany } from '../job-scan/scan-steps.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addOne, countsOf, listPage, NO_JOBS, take, uniqueQueue } from '../queue-steps.ts';

export function describeBringingTogether(harness: () => QueueHarness): void {
  describe('bringing waiting jobs together', () => {
    // holds: repair.short-steps
    it('keeps all of them waiting, and all others in their order', async function () {
      this.timeout(20_000);
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const ids = await addMany(harness(), queue, 6000);
      const active = await take(attempts, queue);
      const { id: delayed } = await addOne(queues, queue, { delay: 60_000 });
      const few = ids.filter((_, index) => index % 17 === 5);
      await jobControl.bringTogether(queue, [...few, active.jobId, delayed, 'none']);
      const counts = { ...NO_JOBS, waiting: 5999, active: 1, delayed: 1 };
      expect(await countsOf(queues, queue)).to.deep.equal(counts);
      const page = { statuses: ['waiting'], start: 0, length: 10_000 } as const;
      const waiting = (await listPage(queues, queue, page)).jobs.map(({ id }) => id);
      const others = ids.filter((id) => !few.includes(id) && id !== active.jobId);
      expect(waiting.filter((id) => !few.includes(id))).to.deep.equal(others.toReversed());
      expect(waiting.filter((id) => few.includes(id))).to.deep.equal(few.toReversed());
    });

    // holds: repair.no-queue
    it('does nothing to a queue that does not exist', async () => {
      const { jobControl, queueDirectory } = harness();
      const queue = uniqueQueue();
      await jobControl.bringTogether(queue, ['1', '2']);
      expect(await queueDirectory.glances([queue])).to.deep.equal([undefined]);
    });
  });
}
