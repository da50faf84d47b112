import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  HOUR,
  listed,
  pausedIn,
  process,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

const NEVER = new AbortController().signal;

export function describePausing(harness: () => QueueHarness): void {
  describe('a paused queue', () => {
    // holds: queues.pause
    it('accepts jobs of every kind and gives none away, on all replicas', async () => {
      const { queues, queueControl, attempts, advance } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      await queueControl.pause(queue);
      await addEach(queues, queue, {}, { priority: 3 }, { delay: 20 }, { lifo: true });
      await advance(20);
      for (const replica of [attempts, other.attempts]) {
        expect((await replica.claim(queue, claimOf(ANY))).kind).to.equal('idle');
        const limited = claimOf({ ...ANY, limiter: { max: 5, duration: HOUR } });
        expect((await replica.claim(queue, limited)).kind).to.equal('idle');
      }
      expect(await countsOf(queues, queue)).to.include({ waiting: 3, prioritized: 1, active: 0 });
    });

    // holds: queues.resume
    it('gives its jobs away in their order once it is resumed, by whatever replica', async () => {
      const { queues, queueControl, attempts } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      const [first, second] = await addEach(queues, queue, {}, {});
      await queueControl.pause(queue);
      const [third, ahead] = await addEach(queues, queue, {}, { lifo: true });
      await other.queueControl.resume(queue);
      expect(await takenIds(attempts, queue)).to.deep.equal([ahead, first, second, third]);
    });

    // holds: queues.pause
    it('lets attempts that run go on, and gives no job to who ends one', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      const [, second] = await addEach(queues, queue, {}, {});
      const attempt = await take(attempts, queue);
      await queueControl.pause(queue);
      expect(await attempts.renew(queue, [attempt], HOUR)).to.deep.equal([]);
      expect(await attempts.reportProgress(queue, attempt, 50)).to.equal(true);
      const settled = await attempts.settle(queue, attempt, COMPLETED, claimOf(ANY));
      expect(settled).to.deep.equal({ held: true, next: { kind: 'idle' } });
      expect(await listed(queues, queue, 'waiting')).to.deep.equal([second]);
    });

    it('gives a job again to who claimed it before and had no answer', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const request = claimOf(ANY);
      await attempts.claim(queue, request);
      await queueControl.pause(queue);
      const again = await attempts.claim(queue, { ...request, isRepeated: true });
      expect(again.kind === 'attempt' && again.attempt.jobId).to.equal(id);
    });

    // holds: queues.resume
    it('ends the waits of idle replicas when it is resumed, one after the other', async () => {
      const { queues, queueControl, attempts, now } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      await queueControl.pause(queue);
      await addEach(queues, queue, {}, {});
      const replicas = [attempts, other.attempts];
      for (const replica of replicas) {
        expect((await replica.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      }
      const works = replicas.map(async (replica) => {
        await replica.waitForJobs(queue, now() + HOUR, NEVER);
        await process(replica, queue, COMPLETED);
      });
      await queueControl.resume(queue);
      await Promise.all(works);
      expect(await countsOf(queues, queue)).to.include({ completed: 2, waiting: 0 });
    });

    it('ends a wait in time for a job that falls due after it was resumed', async () => {
      const { queues, queueControl, attempts, advance, now } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { delay: 50 });
      await queueControl.pause(queue);
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
      await queueControl.resume(queue);
      await advance(50);
      await waiting;
      await take(attempts, queue);
    });

    // holds: queues.pause, queues.resume
    it('may be paused and resumed again and again', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      for (let turn = 0; turn < 2; turn += 1) await queueControl.pause(queue);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      for (let turn = 0; turn < 2; turn += 1) await queueControl.resume(queue);
      expect(await takenIds(attempts, queue)).to.deep.equal([id]);
    });

    // holds: queues.create
    it('need not have been there', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      await queueControl.pause(queue);
      await addOne(queues, queue);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
    });

    it('does not pause other queues', async () => {
      const { queues, queueControl, attempts } = harness();
      const [paused, free] = [uniqueQueue(), uniqueQueue()];
      await queueControl.pause(paused);
      const { id } = await addOne(queues, free);
      expect(await takenIds(attempts, free)).to.deep.equal([id]);
    });
  });

  describe('the state of a queue', () => {
    it('says whether it is paused, to all replicas', async () => {
      const { queues, queueControl, queueDirectory } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      for (const directory of [queueDirectory, other.queueDirectory]) {
        expect(await pausedIn(directory, queue)).to.equal(false);
        await queueControl.pause(queue);
        expect(await pausedIn(directory, queue)).to.equal(true);
        await other.queueControl.resume(queue);
      }
    });

    // holds: queues.create
    it('is there from the first pause on, and after the queue was resumed', async () => {
      const { queueControl, queueDirectory } = harness();
      const queue = uniqueQueue();
      await queueControl.pause(queue);
      await queueControl.resume(queue);
      expect(await pausedIn(queueDirectory, queue)).to.equal(false);
    });

    it('is missing where nobody did more than look for jobs, or resume', async () => {
      const { queueControl, attempts, queueDirectory } = harness();
      const queue = uniqueQueue();
      await attempts.claim(queue, claimOf(ANY));
      await attempts.recoverStalled(queue, 1);
      await queueControl.resume(queue);
      expect(await pausedIn(queueDirectory, queue)).to.equal(undefined);
    });

    it('stays when the last job is gone', async () => {
      const { queues, attempts, queueDirectory } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      await process(attempts, queue, { ...COMPLETED, keep: { count: 0 } });
      expect(await pausedIn(queueDirectory, queue)).to.equal(false);
    });
  });
}
