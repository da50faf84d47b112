import { expect } from 'chai';
import type { ScannedField, ScannedJob } from '../../../src/application/ports/job-scan-port.ts';
import { JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { collected } from '../../support/collected.ts';
import { placedJob } from '../job-control/placed-job.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addOne, uniqueQueue } from '../queue-steps.ts';

export function describeLooking(harness: () => QueueHarness): void {
  const look = (
    queue: QueueName,
    ids: readonly string[],
    fields: readonly ScannedField[],
  ): Promise<ScannedJob[]> => collected(harness().jobScan.look(queue, ids, fields));

  it('looks at jobs by their ids, and leaves out those that are not there', async () => {
    const queue = uniqueQueue();
    expect(await look(queue, ['1'], ['name'])).to.deep.equal([]);
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
    expect(await look(queue, ids, ['name'])).to.deep.equal(expected);
    expect(await look(queue, [], ['name'])).to.deep.equal([]);
  });

  // holds: repair.all
  it('counts the jobs in some states, and returns the last ones of a scan over them', async () => {
    const { jobScan } = harness();
    const queue = uniqueQueue();
    const states = ['failed', 'waiting', 'delayed', 'waiting-children'] as const;
    expect(await jobScan.oldest(queue, states, 10)).to.deep.equal({ total: 0, jobs: [] });
    for (const state of ['failed', 'failed', 'delayed', 'delayed', 'waiting', 'waiting'] as const) {
      await placedJob(harness(), queue, state);
    }
    const { jobs } = await jobScan.scan(queue, { states: ['delayed'], fields: [], cursor: null });
    const scanned = [...jobs];
    for (const state of ['waiting', 'failed'] as const) {
      const step = await jobScan.scan(queue, { states: [state], fields: [], cursor: null });
      scanned.unshift(...step.jobs);
    }
    expect(scanned).to.have.length(6);
    const last = scanned.toReversed();
    for (const limit of [1, 3, 6, 10_000]) {
      const found = await jobScan.oldest(queue, states, limit);
      expect(found).to.deep.equal({ total: 6, jobs: last.slice(0, limit) });
    }
  });

  it('looks at a thousand jobs', async () => {
    const queue = uniqueQueue();
    const id = await placedJob(harness(), queue, 'failed');
    const ids = Array<string>(999).fill('none').concat(id);
    expect(await look(queue, ids, ['failedReason'])).to.have.length(1);
  });

  // holds: search.short-steps
  it('takes as many at a time as are not large together', async () => {
    const { queues, jobScan } = harness();
    const queue = uniqueQueue();
    const ids: string[] = [];
    for (const size of [10, 200_000, 200_000, 400_000, 10, 10]) {
      ids.push((await addOne(queues, queue, {}, 'x'.repeat(size))).id);
    }
    const pieces: string[][] = [];
    for await (const piece of jobScan.look(queue, ids, ['data'])) {
      pieces.push(piece.map(({ id }) => id));
    }
    expect(pieces).to.deep.equal([ids.slice(0, 2), ids.slice(2, 3), ids.slice(3, 4), ids.slice(4)]);
  });
}
