import { expect } from 'chai';
import { ALLOWED_STATES } from '../../../src/domain/jobs/job-actions.ts';
import { JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  countsOf,
  FAILED,
  logsOf,
  NO_JOBS,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { placedJob } from './placed-job.ts';

export function describeRemoving(harness: () => QueueHarness): void {
  describe('removing a job', () => {
    for (const state of JOB_STATUSES.filter((each) => each !== 'active')) {
      // holds: actions.remove
      it(`leaves nothing of a job that is ${state}`, async () => {
        const { queues, attempts, jobControl } = harness();
        const queue = uniqueQueue();
        expect(ALLOWED_STATES.remove).to.include(state);
        const id = await placedJob(harness(), queue, state);
        await jobControl.remove(queue, id);
        expect(await queues.find(queue, id)).to.equal(undefined);
        expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
        expect(await takenIds(attempts, queue)).to.deep.equal([]);
      });
    }

    it('removes its log', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const attempt = await addOne(queues, queue, { jobId: 'again' }).then(() =>
        take(attempts, queue),
      );
      await attempts.addLog(queue, attempt, 'a line');
      await attempts.settle(queue, attempt, FAILED);
      await jobControl.remove(queue, 'again');
      await addOne(queues, queue, { jobId: 'again' });
      expect(await logsOf(queues, queue, 'again')).to.deep.equal({ count: 0, logs: [] });
    });

    it('leaves the jobs beside it in their order', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, {}, { priority: 1 }, { priority: 1 });
      await jobControl.remove(queue, ids[1]!);
      await jobControl.remove(queue, ids[3]!);
      expect(await takenIds(attempts, queue)).to.deep.equal([ids[0], ids[2], ids[4]]);
    });
  });
}
