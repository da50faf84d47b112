import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  FAILED,
  findStalled,
  HOUR,
  logsOf,
  process,
  read,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { placedJob } from './placed-job.ts';

const NEVER = new AbortController().signal;

export function describeRetrying(harness: () => QueueHarness): void {
  describe('retrying a job', () => {
    // holds: actions.retry
    it('clears what its end left, and keeps why its attempts failed', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 2 });
      await process(attempts, queue, retryAfter(0, 'first'));
      await process(attempts, queue, FAILED);
      expect(await read(queues, queue, id)).to.include({ state: 'failed', attemptsMade: 2 });
      expect(await jobControl.retry(queue, id, {})).to.deep.equal({ kind: 'done' });
      const job = await read(queues, queue, id);
      expect(job).to.include({ state: 'waiting', attemptsMade: 0, attemptsStarted: 2 });
      expect(job).not.to.have.any.keys('failedReason', 'processedOn', 'finishedOn');
      expect(job.stacktrace).to.deep.equal(['first', FAILED.reason]);
      expect(job.opts.attempts).to.equal(2);
    });

    // holds: actions.retry
    it('clears the return value of a job that completed', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await process(attempts, queue, { kind: 'completed', returnvalue: { some: 'value' } });
      await jobControl.retry(queue, id, {});
      const job = await read(queues, queue, id);
      expect(job).to.include({ state: 'waiting', returnvalue: null });
      expect(job).not.to.have.any.keys('processedOn', 'finishedOn');
    });

    // holds: actions.retry
    it('gives it all its attempts again', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const id = await placedJob(harness(), queue, 'failed', { attempts: 3 });
      await jobControl.retry(queue, id, {});
      const attempt = await take(attempts, queue);
      expect(attempt.job).to.include({ id, attemptsMade: 0, attemptsStarted: 2 });
      await attempts.settle(queue, attempt, retryAfter(0));
      expect((await read(queues, queue, id)).attemptsMade).to.equal(1);
    });

    // holds: actions.retry
    it('replaces the options and data that are given, and no others', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      const id = await placedJob(harness(), queue, 'failed', { attempts: 2, jobId: 'mine' });
      const { opts } = await read(queues, queue, id);
      const backoff = { type: 'fixed', delay: 7 };
      await jobControl.retry(queue, id, {
        opts: { attempts: 5, backoff, priority: 4 },
        data: { new: ['data'] },
      });
      const job = await read(queues, queue, id);
      expect(job.state).to.equal('prioritized');
      expect(job.opts).to.deep.equal({ ...opts, attempts: 5, backoff, priority: 4 });
      expect(job.data).to.deep.equal({ new: ['data'] });
    });

    it('keeps a data of null apart from none', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      const id = await placedJob(harness(), queue, 'completed');
      await jobControl.retry(queue, id, { data: null });
      expect((await read(queues, queue, id)).data).to.equal(null);
    });

    // holds: actions.retry
    it('lets it queue up as a job that is added: by its priority, behind or ahead of others', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const finished: string[] = [];
      for (const opts of [{ priority: 3 }, {}, { lifo: true }, { priority: 3 }]) {
        finished.push((await addOne(queues, queue, opts)).id);
        await process(attempts, queue, COMPLETED);
      }
      const [prioritized, last, first, unprioritized] = finished;
      const [waiting, equal, lower] = await addEach(
        queues,
        queue,
        {},
        { priority: 3 },
        { priority: 4 },
      );
      for (const id of [prioritized, last, first]) await jobControl.retry(queue, id!, {});
      await jobControl.retry(queue, unprioritized!, { opts: { priority: 0 } });
      expect(await takenIds(attempts, queue)).to.deep.equal([
        first,
        waiting,
        last,
        unprioritized,
        equal,
        prioritized,
        lower,
      ]);
    });

    it('lets a job run that failed for having stalled', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await attempts.recoverStalled(queue, 0);
      await findStalled(harness(), queue);
      await process(attempts, queue, FAILED);
      await jobControl.retry(queue, id, {});
      const attempt = await take(attempts, queue);
      expect(attempt).to.include({ jobId: id });
      expect(attempt).not.to.have.property('mustFail');
    });

    it('keeps its log', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      await attempts.addLog(queue, attempt, 'a line');
      await attempts.settle(queue, attempt, FAILED);
      await jobControl.retry(queue, id, {});
      expect((await logsOf(queues, queue, id))?.logs).to.deep.equal(['a line']);
    });

    for (const opts of [{}, { priority: 2 }]) {
      it(`wakes who waits for jobs: ${JSON.stringify(opts)}`, async () => {
        const { attempts, jobControl, now, advance } = harness();
        const queue = uniqueQueue();
        const id = await placedJob(harness(), queue, 'failed');
        expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
        // Uses up what the earlier steps left to wake somebody.
        const before = attempts.waitForJobs(queue, now() + 20, NEVER);
        await advance(20);
        await before;
        const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
        await jobControl.retry(queue, id, { opts });
        await waiting;
        expect((await take(attempts, queue)).jobId).to.equal(id);
      });
    }
  });
}
