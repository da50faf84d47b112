import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import { addEach, addOne, ANY, read, take, uniqueQueue } from '../queue-steps.ts';
import { DEAD_TOKENS } from './dead-tokens.ts';
import { JSON_VALUES } from './json-values.ts';

export function describeProgress(harness: () => QueueHarness): void {
  describe('progress', () => {
    for (const [title, progress] of JSON_VALUES) {
      it(`keeps ${title}`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue);
        const { job, token } = await take(attempts, queue);
        expect(
          await attempts.reportProgress(queue, { jobId: job.id, token: token }, progress),
        ).to.equal(true);
        expect(await queues.find(queue, job.id)).to.deep.equal({ ...job, progress });
      });
    }

    // holds: fields.progress
    it('is the last that was set, on any replica, and outlives the attempt', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      const { job, token } = attempt;
      await attempts.reportProgress(queue, { jobId: job.id, token: token }, 10);
      await replica.attempts.reportProgress(queue, { jobId: job.id, token: token }, { step: 2 });
      await attempts.settle(queue, attempt, { kind: 'completed', returnvalue: 1 });
      expect((await read(queues, queue, job.id)).progress).to.deep.equal({ step: 2 });
    });

    for (const [title, tokenOf] of DEAD_TOKENS) {
      // holds: auth.job-token, job-token.dead
      it(`is refused with ${title}`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const { id, token } = await tokenOf(harness(), queue);
        const before = await read(queues, queue, id);
        expect(await attempts.reportProgress(queue, { jobId: id, token: token }, 50)).to.equal(
          false,
        );
        expect(await queues.find(queue, id)).to.deep.equal(before);
      });
    }

    // holds: job-token.one-job
    it("is refused with another job's token", async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [first = '', second = ''] = await addEach(queues, queue, {}, {});
      const { token } = await take(attempts, queue, ANY);
      const other = await take(attempts, queue, ANY);
      expect(await attempts.reportProgress(queue, { jobId: second, token: token }, 1)).to.equal(
        false,
      );
      expect(
        await attempts.reportProgress(queue, { jobId: first, token: other.token }, 1),
      ).to.equal(false);
      expect((await read(queues, queue, first)).progress).to.equal(0);
      expect((await read(queues, queue, second)).progress).to.equal(0);
    });

    it('is refused for a job that does not exist', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      expect(await attempts.reportProgress(queue, { jobId: '1', token: 'token' }, 1)).to.equal(
        false,
      );
      await addOne(queues, queue);
      const { token } = await take(attempts, queue);
      expect(await attempts.reportProgress(queue, { jobId: 'unknown', token: token }, 1)).to.equal(
        false,
      );
      expect(await queues.find(queue, 'unknown')).to.equal(undefined);
    });
  });
}
