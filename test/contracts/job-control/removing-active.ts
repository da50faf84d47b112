import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  HOUR,
  NO_JOBS,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { placedJob } from './placed-job.ts';

const DONE = { kind: 'done' };
const ORDERED = { ...ANY, isPulled: true, groups: { ordered: 'skip', concurrency: 1 } } as const;

export function describeRemovingActive(harness: () => QueueHarness): void {
  describe('removing an active job', () => {
    it('leaves nothing of it, and nothing to the attempt that held it', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const [id = ''] = await addEach(queues, queue, { deduplication: { id: 'one' } });
      const attempt = await take(attempts, queue);
      expect(await jobControl.removeActive(queue, id)).to.deep.equal(DONE);
      expect(await queues.find(queue, id)).to.equal(undefined);
      expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
      expect((await attempts.settle(queue, attempt, COMPLETED)).held).to.equal(false);
      expect(await attempts.renew(queue, [attempt], HOUR)).to.deep.equal([attempt]);
      expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
      const [again] = await addEach(queues, queue, { deduplication: { id: 'one' } });
      expect(await takenIds(attempts, queue)).to.deep.equal([again]);
    });

    it('lets the next job of its ordered group start', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const group = { id: 'a' };
      const [first = '', second] = await addEach(queues, queue, { group }, { group });
      await take(attempts, queue, ORDERED);
      expect((await attempts.claim(queue, claimOf(ORDERED))).kind).to.equal('idle');
      await jobControl.removeActive(queue, first);
      expect((await take(attempts, queue, ORDERED)).jobId).to.equal(second);
    });

    it('says when the job is gone', async () => {
      const { jobControl } = harness();
      const queue = uniqueQueue();
      await placedJob(harness(), queue, 'waiting');
      expect(await jobControl.removeActive(queue, 'other')).to.deep.equal({ kind: 'missing' });
    });
  });
}
