import { expect } from 'chai';
import type { ScannedJob } from '../../../src/application/ports/job-scan-port.ts';
import { JOB_STATES, JOB_STATUSES, type JobStatus } from '../../../src/domain/jobs/job-status.ts';
import { collected } from '../../support/collected.ts';
import { rejection } from '../../support/rejection.ts';
import { placedJob } from '../job-control/placed-job.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addOne, FAILED, pausedIn, process, read, take, uniqueQueue } from '../queue-steps.ts';
import { addMany, failMany, MANY, scanAll } from './scan-steps.ts';

export function describeScanning(harness: () => QueueHarness): void {
  it('finds nothing in a queue that does not exist, and creates none', async () => {
    const { jobScan, queueDirectory } = harness();
    const queue = uniqueQueue();
    expect(await scanAll(jobScan, queue, JOB_STATES)).to.deep.equal([]);
    expect(await pausedIn(queueDirectory, queue)).to.equal(undefined);
  });

  it('finds the jobs of the states that it is asked for, with their states', async () => {
    const { jobScan } = harness();
    const queue = uniqueQueue();
    const placed: Partial<Record<JobStatus, string>> = {};
    for (const state of [
      'failed',
      'completed',
      'active',
      'waiting',
      'prioritized',
      'delayed',
    ] as const) {
      placed[state] = await placedJob(harness(), queue, state);
    }
    const all = await scanAll(jobScan, queue, JOB_STATUSES);
    expect(all.map(({ id, state }) => [state, id])).to.deep.equal(
      JOB_STATUSES.map((state) => [state, placed[state]]),
    );
    const some = await scanAll(jobScan, queue, ['failed', 'waiting']);
    expect(some.map(({ id }) => id)).to.deep.equal([placed.failed, placed.waiting]);
    expect(await scanAll(jobScan, queue, [])).to.deep.equal([]);
  });

  it('returns the fields that it is asked for', async () => {
    const { queues, attempts, jobScan } = harness();
    const queue = uniqueQueue();
    const { id } = await addOne(queues, queue, {}, { customer: { id: 17 } });
    await process(attempts, queue, FAILED);
    const { timestamp, finishedOn } = await read(queues, queue, id);
    const values = {
      name: 'work',
      data: { customer: { id: 17 } },
      failedReason: FAILED.reason,
      timestamp,
      finishedOn,
    };
    for (const field of ['name', 'data', 'failedReason', 'timestamp', 'finishedOn'] as const) {
      const [job] = await scanAll(jobScan, queue, ['failed'], { fields: [field] });
      expect(job).to.deep.equal({ id, state: 'failed', [field]: values[field] });
    }
    expect(await scanAll(jobScan, queue, ['failed'], { fields: [] })).to.deep.equal([
      { id, state: 'failed' },
    ]);
  });

  it('returns the status of the last answer, unless the last attempt had none', async () => {
    const replica = harness();
    const { queues, attempts, jobControl, jobScan } = replica;
    const queue = uniqueQueue();
    const { id } = await addOne(queues, queue);
    const statuses = async (): Promise<unknown[]> => {
      const jobs = await scanAll(jobScan, queue, ['failed'], { fields: ['answerStatus'] });
      expect(await collected(jobScan.look(queue, [id], ['answerStatus']))).to.deep.equal(jobs);
      return jobs.map(({ answerStatus }) => answerStatus);
    };
    const call = { outcome: 'failed', status: 500, response: 'boom' } as const;
    await process(attempts, queue, { ...FAILED, call });
    expect(await statuses()).to.deep.equal([500]);
    await jobControl.retry(queue, id, {});
    await process(attempts, queue, { ...FAILED, call: { ...call, status: 422 } });
    expect(await statuses()).to.deep.equal([422]);
    await jobControl.retry(queue, id, {});
    await process(attempts, queue, { ...FAILED, call: { outcome: 'timeout' } });
    expect(await statuses()).to.deep.equal([undefined]);
  });

  // holds: failures.cancelled
  it('returns no status of a job that was cancelled after an answer', async () => {
    const replica = harness();
    const { queues, attempts, jobControl, jobScan } = replica;
    const queue = uniqueQueue();
    const fields = ['answerStatus'] as const;
    const { id } = await addOne(queues, queue, { attempts: 3 });
    const attempt = await take(attempts, queue);
    const call = { outcome: 'failed', status: 503, response: 'busy' } as const;
    await attempts.settle(queue, attempt, { kind: 'retry', reason: 'busy', delay: 60_000, call });
    const delayed = await collected(jobScan.look(queue, [id], fields));
    expect(delayed).to.deep.equal([{ id, state: 'delayed', answerStatus: 503 }]);
    await replica.advance(1000);
    await jobControl.cancel(queue, id, { reason: 'Cancelled' });
    const failed = [{ id, state: 'failed' }];
    expect(await collected(jobScan.look(queue, [id], fields))).to.deep.equal(failed);
    expect(await scanAll(jobScan, queue, ['failed'], { fields })).to.deep.equal(failed);
  });

  it('returns data of any size', async () => {
    const { queues, jobScan } = harness();
    const queue = uniqueQueue();
    const sizes = [10, 400_000, 200_000, 200_000, 20];
    for (const size of sizes) await addOne(queues, queue, {}, 'x'.repeat(size));
    const jobs = await scanAll(jobScan, queue, ['waiting'], { fields: ['data'] });
    expect(jobs.map(({ data }) => (data as string).length)).to.deep.equal(sizes.toReversed());
  });

  for (const opts of [{}, { priority: 3 }]) {
    // holds: search.short-steps
    it(`takes as many a step as are not large together: ${JSON.stringify(opts)}`, async () => {
      const { queues, jobScan } = harness();
      const queue = uniqueQueue();
      const ids: string[] = [];
      for (const size of [10, 200_000, 200_000, 400_000, 10, 10]) {
        ids.unshift((await addOne(queues, queue, opts, 'x'.repeat(size))).id);
      }
      const steps: string[][] = [];
      const between = (taken: readonly ScannedJob[]): Promise<void> => {
        if (taken.length > 0) steps.push(taken.map(({ id }) => id));
        return Promise.resolve();
      };
      await scanAll(jobScan, queue, ['waiting', 'prioritized'], { fields: ['data'], between });
      expect(steps).to.deep.equal([
        ids.slice(0, 2),
        ids.slice(2, 3),
        ids.slice(3, 4),
        ids.slice(4),
      ]);
    });
  }

  for (const most of [Infinity, 7, 250]) {
    it(`goes on where it was, taking ${most} jobs a step: a list and a set`, async () => {
      const queue = uniqueQueue();
      const ids = await addMany(harness(), queue);
      const waiting = await scanAll(harness().jobScan, queue, ['waiting'], { most });
      expect(waiting.map(({ id }) => id)).to.deep.equal(ids.toReversed());
      const prioritized = await addMany(harness(), queue, MANY, { priority: 3 });
      const found = await scanAll(harness().jobScan, queue, ['prioritized'], { most });
      expect(found.map(({ id }) => id)).to.deep.equal(prioritized.toReversed());
    });
  }

  it('returns jobs that ended in the same millisecond once each, the latest first', async () => {
    const queue = uniqueQueue();
    const ids = await failMany(harness(), queue);
    for (const fields of [[], ['timestamp']] as const) {
      const failed = await scanAll(harness().jobScan, queue, ['failed'], { fields, most: 100 });
      expect(failed.map(({ id }) => id))
        .to.have.members(ids)
        .and.have.length(MANY);
    }
  });

  for (const cursor of ['', 'x', 'bnVsbA', 'WzksMV0', 'WyJhIl0', 'WzAsWzFdLDJd']) {
    it(`refuses a cursor that is none: "${cursor}"`, async () => {
      const queue = uniqueQueue();
      await addMany(harness(), queue, 3);
      const query = { states: ['waiting'], fields: [], cursor } as const;
      const error = await rejection(harness().jobScan.scan(queue, query));
      expect(error).to.include({ code: 'invalid-request', field: 'cursor' });
    });
  }

  for (const rank of ['', ' ', '\n', ' 1', '0b11', '1_0', '0x', 'nan', '1e', null, {}, [1], true]) {
    // holds: security.forged-cursor
    it(`refuses a cursor that was made up: ${JSON.stringify([0, rank, 'x'])}`, async () => {
      const queue = uniqueQueue();
      await addMany(harness(), queue, 3, { delay: 60_000 });
      const cursor = Buffer.from(JSON.stringify([0, rank, 'x'])).toString('base64url');
      for (const state of ['delayed', 'waiting'] as const) {
        const query = { states: [state], fields: [], cursor } as const;
        const error = await rejection(harness().jobScan.scan(queue, query));
        expect(error).to.include({ code: 'invalid-request', field: 'cursor' });
      }
    });
  }
}
