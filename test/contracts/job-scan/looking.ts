import { expect } from 'chai';
import { JOB_STATUSES } from '../../../src/domain/job-status.ts';
import { placedJob } from '../job-control/placed-job.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { uniqueQueue } from '../queue-steps.ts';

export function describeLooking(harness: () => QueueHarness): void {
  it('looks at jobs by their ids, and leaves out those that are not there', async () => {
    const { jobScan } = harness();
    const queue = uniqueQueue();
    expect(await jobScan.look(queue, ['1'], ['name'])).to.deep.equal([]);
    const expected: object[] = [];
    for (const state of [
      'failed',
      'completed',
      'active',
      'waiting',
      'prioritized',
      'delayed',
    ] as const) {
      const id = await placedJob(harness(), queue, state);
      expected.push({ id, state, name: 'work' });
    }
    expect(expected).to.have.length(JOB_STATUSES.length);
    const ids = ['99', ...expected.map((job) => (job as { id: string }).id), '1:logs', ''];
    expect(await jobScan.look(queue, ids, ['name'])).to.deep.equal(expected);
    expect(await jobScan.look(queue, [], ['name'])).to.deep.equal([]);
  });

  it('looks at a thousand jobs', async () => {
    const { jobScan } = harness();
    const queue = uniqueQueue();
    const id = await placedJob(harness(), queue, 'failed');
    const ids = Array<string>(999).fill('none').concat(id);
    expect(await jobScan.look(queue, ids, ['failedReason'])).to.have.length(1);
  });
}
