import { once } from 'node:events';
import { expect } from 'chai';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { addOne, uniqueQueue } from '../../contracts/queue-steps.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

describeBesideNative('options of jobs beside native clients', (native) => {
  for (const backoff of [
    5,
    { type: 'fixed', delay: 5, jitter: 1 },
    { type: 'linear', delay: 5 },
    { type: 'linear', delay: 5, jitter: 0.5, maxDelay: 8 },
    { type: 'exponential', delay: 5, maxDelay: 5 },
  ] satisfies readonly JobOptionsInput['backoff'][]) {
    // holds: job-options.backoff-native
    it(`lets a native worker make every attempt with a backoff of ${JSON.stringify(backoff)}`, async () => {
      const queue = uniqueQueue();
      const { id } = await addOne(native.replica.queues, queue, { attempts: 3, backoff });
      const worker = native.worker(queue, () => Promise.reject(new Error('it broke')));
      const exhausted = new Promise<void>((resolve) => {
        worker.on('failed', (job) => {
          if (job?.attemptsMade === 3) resolve();
        });
      });
      const faulty = once(worker, 'error').then(([error]) => Promise.reject(error as Error));
      await Promise.race([exhausted, faulty]);
      const job = await native.replica.queues.find(queue, id);
      expect(job).to.include({ state: 'failed', failedReason: 'it broke', attemptsMade: 3 });
    });
  }

  // holds: job-options.retention, job-options.keep-logs
  it('shows native clients the options of a job, and they follow them', async () => {
    const queue = uniqueQueue();
    const opts = { removeOnComplete: true, removeOnFail: 5, keepLogs: 1, timeout: 1000 };
    const { id } = await addOne(native.replica.queues, queue, opts);
    const client = native.queue(queue);
    expect((await client.getJob(id))?.opts).to.include(opts);
    const worker = native.worker(queue, async (job) => {
      for (const line of ['a', 'b']) await job.log(line);
      return (await client.getJobLogs(id)).logs;
    });
    const [, lines] = (await once(worker, 'completed')) as [unknown, string[]];
    expect(lines).to.deep.equal(['b']);
    expect(await native.replica.queues.find(queue, id)).to.equal(undefined);
  });
});
