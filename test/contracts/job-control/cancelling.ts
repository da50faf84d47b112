import { expect } from 'chai';
import { JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  findStalled,
  HOUR,
  listed,
  NO_JOBS,
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
const REASON = 'ordered twice';
const DONE = { kind: 'done' };

export function describeCancelling(harness: () => QueueHarness): void {
  describe('cancelling a job', () => {
    for (const state of ['waiting', 'prioritized', 'delayed'] as const) {
      // holds: cancel.fails
      it(`fails a job that is ${state}, with the reason and no attempt made`, async () => {
        const { queues, attempts, jobControl } = harness();
        const queue = uniqueQueue();
        const id = await placedJob(harness(), queue, state, { attempts: 3 });
        expect(await jobControl.cancel(queue, id, { reason: REASON })).to.deep.equal(DONE);
        const job = await read(queues, queue, id);
        expect(job).to.include({
          state: 'failed',
          failedReason: REASON,
          attemptsMade: 0,
          delay: 0,
        });
        expect(job).to.include({ stacktrace: null, finishedOn: harness().now() });
        expect(await takenIds(attempts, queue)).to.deep.equal([]);
        expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, failed: 1 });
      });
    }

    // holds: cancel.fails
    it('fails a job that is active, as an attempt that failed for good', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 5 });
      await process(attempts, queue, retryAfter(0, 'at first'));
      await take(attempts, queue);
      await jobControl.cancel(queue, id, { reason: REASON });
      const job = await read(queues, queue, id);
      expect(job).to.include({ state: 'failed', failedReason: REASON, attemptsMade: 2 });
      expect(job.stacktrace).to.deep.equal(['at first', REASON]);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, failed: 1 });
    });

    // holds: cancel.token
    it('leaves nothing to the attempt that held it', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 5 });
      const attempt = await take(attempts, queue);
      await jobControl.cancel(queue, id, { reason: REASON });
      const cancelled = await read(queues, queue, id);
      expect(await attempts.renew(queue, [attempt], HOUR)).to.deep.equal([attempt]);
      expect(await attempts.reportProgress(queue, attempt, 50)).to.equal(false);
      expect(await attempts.addLog(queue, attempt, 'a line')).to.equal(false);
      for (const ending of [COMPLETED, retryAfter(0), retryAfter(1000)]) {
        expect((await attempts.settle(queue, attempt, ending)).held).to.equal(false);
      }
      await attempts.release(queue, attempt);
      expect(await read(queues, queue, id)).to.deep.equal(cancelled);
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, failed: 1 });
    });

    // holds: cancel.place
    it('leaves its place to the call until that is over', async () => {
      const { queues, attempts, jobControl, now } = harness();
      const { attempts: others } = await harness().replica();
      const queue = uniqueQueue();
      const [first, second, third] = await addEach(queues, queue, {}, {}, {});
      const two = { ...ANY, concurrency: 2 };
      const one = { ...ANY, concurrency: 1 };
      const attempt = await take(attempts, queue, two);
      expect(attempt.jobId).to.equal(first);
      await jobControl.cancel(queue, attempt.jobId, { reason: REASON });
      expect((await others.claim(queue, claimOf(one))).kind).to.equal('idle');
      const beside = await take(others, queue, two);
      expect(beside.jobId).to.equal(second);
      expect((await others.claim(queue, claimOf(two))).kind).to.equal('idle');
      const settled = await others.settle(queue, beside, COMPLETED, claimOf(one));
      expect(settled.next?.kind ?? 'idle').to.equal('idle');
      const waiting = others.waitForJobs(queue, now() + HOUR, NEVER);
      await attempts.endCall(queue, attempt);
      await waiting;
      expect((await take(others, queue, one)).jobId).to.equal(third);
      await attempts.endCall(queue, attempt);
      expect((await others.claim(queue, claimOf(one))).kind).to.equal('idle');
    });

    // holds: cancel.place
    it('leaves its place to the call no longer than its lock would have held', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const [, second] = await addEach(queues, queue, {}, {});
      const one = { concurrency: 1, lockDuration: 200 };
      const attempt = await take(attempts, queue, one);
      await jobControl.cancel(queue, attempt.jobId, { reason: REASON });
      expect((await attempts.claim(queue, claimOf(one))).kind).to.equal('idle');
      await advance(250);
      expect((await take(attempts, queue, one)).jobId).to.equal(second);
    });

    for (const kind of ['pulled', 'accepted', 'run out'] as const) {
      // holds: cancel.place
      it(`leaves no place to an attempt without a call: ${kind}`, async () => {
        const { queues, attempts, jobControl, advance } = harness();
        const queue = uniqueQueue();
        const [, second, third] = await addEach(queues, queue, {}, {}, {});
        const terms = kind === 'run out' ? SHORTLY : ANY;
        const one = { ...terms, concurrency: 1, isPulled: kind === 'pulled' };
        const attempt = await take(attempts, queue, one);
        if (kind === 'accepted') await attempts.accept(queue, attempt, HOUR);
        if (kind === 'run out') await advance(SOON);
        await jobControl.cancel(queue, attempt.jobId, { reason: REASON });
        const next = await take(attempts, queue, { ...ANY, concurrency: 1 });
        expect(next.jobId).to.equal(second);
        const settled = await attempts.settle(queue, next, COMPLETED);
        expect(settled.held).to.equal(true);
        expect(await takenIds(attempts, queue)).to.deep.equal([third]);
      });
    }

    // holds: cancel.token
    it('gives the job to no claim that is repeated with the token of its attempt', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const request = claimOf(ANY);
      await attempts.claim(queue, request);
      await jobControl.cancel(queue, id, { reason: REASON });
      const again = await attempts.claim(queue, { ...request, isRepeated: true });
      expect(again.kind).to.equal('idle');
    });

    // holds: cancel.dead-replica
    it('ends a job whose attempt is gone, also one that is suspected to have stalled', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 5 });
      await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await attempts.recoverStalled(queue, 10);
      await jobControl.cancel(queue, id, { reason: REASON });
      expect(await findStalled(harness(), queue)).to.deep.equal([]);
      expect(await read(queues, queue, id)).to.include({ state: 'failed', failedReason: REASON });
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
    });

    it('ends a job that stalled too often with the reason of the cancellation', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await attempts.recoverStalled(queue, 0);
      await advance(SOON);
      expect((await attempts.recoverStalled(queue, 0)).stalled).to.deep.equal([id]);
      await jobControl.cancel(queue, id, { reason: REASON });
      expect(await read(queues, queue, id)).to.include({ state: 'failed', failedReason: REASON });
      await jobControl.retry(queue, id, {});
      expect(await take(attempts, queue)).not.to.have.property('mustFail');
    });

    // holds: cancel.slot
    it('frees the slot of a job that nobody calls for, and wakes a replica that waits for one', async () => {
      const { queues, attempts, jobControl, now, advance } = harness();
      const queue = uniqueQueue();
      const [running, next] = await addEach(queues, queue, {}, {});
      const alone = { ...ANY, concurrency: 1 };
      await take(attempts, queue, { ...alone, isPulled: true });
      expect((await attempts.claim(queue, claimOf(alone))).kind).to.equal('idle');
      // Uses up what the adds left to wake somebody.
      const before = attempts.waitForJobs(queue, now() + 20, NEVER);
      await advance(20);
      await before;
      const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
      await jobControl.cancel(queue, running!, { reason: REASON });
      await waiting;
      expect((await take(attempts, queue, alone)).jobId).to.equal(next);
    });

    it('leaves the jobs beside it in their order', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, {}, { priority: 1 }, { priority: 1 });
      await jobControl.cancel(queue, ids[1]!, { reason: REASON });
      await jobControl.cancel(queue, ids[3]!, { reason: REASON });
      expect(await takenIds(attempts, queue)).to.deep.equal([ids[0], ids[2], ids[4]]);
    });

    // holds: cancel.retention
    it('keeps as many failed jobs as the worker says', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, {});
      for (const id of ids) {
        await jobControl.cancel(queue, id, { reason: REASON, keep: { count: 2 } });
      }
      expect(await listed(queues, queue, 'failed')).to.deep.equal([ids[2], ids[1]]);
      await jobControl.cancel(queue, (await addOne(queues, queue)).id, {
        reason: REASON,
        keep: { count: 0 },
      });
      expect(await listed(queues, queue, ...JOB_STATUSES)).not.to.include('4');
    });

    it('lets a cancelled job be retried, and its late attempt holds nothing of that', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const late = await take(attempts, queue);
      await jobControl.cancel(queue, id, { reason: REASON });
      await jobControl.retry(queue, id, {});
      const again = await take(attempts, queue);
      expect((await attempts.settle(queue, late, COMPLETED)).held).to.equal(false);
      expect(await attempts.settle(queue, again, COMPLETED)).to.deep.equal({ held: true });
      expect((await read(queues, queue, id)).state).to.equal('completed');
    });
  });
}
