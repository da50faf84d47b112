import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  COMPLETED,
  findStalled,
  HOUR,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

export function describeLocks(harness: () => QueueHarness): void {
  describe('locks', () => {
    it('last as long as they were extended for', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue, { ...ANY, lockDuration: 1000 });
      expect(await attempts.renew(queue, [attempt], HOUR)).to.deep.equal([]);
      await advance(1100);
      const { job, token } = attempt;
      expect(await attempts.reportProgress(queue, { jobId: job.id, token: token }, 1)).to.equal(
        true,
      );
      expect(await attempts.renew(queue, [attempt], 20)).to.deep.equal([]);
      await advance(SOON);
      expect(await findStalled(harness(), queue)).to.deep.equal([job.id]);
      expect(await attempts.reportProgress(queue, attempt, 2)).to.equal(false);
    });

    it('are given back after they ran out, as long as nobody else got the job', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      expect(await attempts.renew(queue, [attempt], HOUR)).to.deep.equal([]);
      const { job, token } = attempt;
      expect(await attempts.reportProgress(queue, { jobId: job.id, token: token }, 1)).to.equal(
        true,
      );
      expect(await attempts.settle(queue, attempt, COMPLETED)).to.deep.equal({ held: true });
    });

    it('are extended all at once, and those that were lost are returned', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {}, {}, {});
      const held = await take(attempts, queue);
      const stalled = await take(attempts, queue, SHORTLY);
      const ended = await take(attempts, queue);
      const released = await take(attempts, queue);
      const alsoHeld = await take(attempts, queue);
      await attempts.settle(queue, ended, COMPLETED);
      await attempts.release(queue, released);
      await advance(SOON);
      await findStalled(harness(), queue);
      const all = [held, stalled, ended, released, alsoHeld];
      const lost = await attempts.renew(queue, all, HOUR);
      expect(lost).to.have.deep.members([stalled, ended, released]);
      for (const attempt of [held, alsoHeld]) {
        expect(await attempts.settle(queue, attempt, COMPLETED)).to.deep.equal({ held: true });
      }
      expect(await attempts.settle(queue, stalled, COMPLETED)).to.deep.equal({ held: false });
    });

    // holds: attempts.other-attempt
    it('are not extended with the token of another attempt', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const [first, second] = [await take(attempts, queue), await take(attempts, queue)];
      const forged = { jobId: first.jobId, token: second.token };
      expect(await attempts.renew(queue, [forged], 1)).to.deep.equal([forged]);
      expect(await attempts.settle(queue, first, COMPLETED)).to.deep.equal({ held: true });
    });

    it('are extended by any replica', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue, { ...ANY, lockDuration: 1000 });
      expect(await replica.attempts.renew(queue, [attempt], HOUR)).to.deep.equal([]);
      await advance(1100);
      expect(await attempts.settle(queue, attempt, COMPLETED)).to.deep.equal({ held: true });
    });

    it('need no attempt to be extended', async () => {
      const { attempts } = harness();
      expect(await attempts.renew(uniqueQueue(), [], HOUR)).to.deep.equal([]);
    });
  });
}
