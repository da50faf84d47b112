import { expect } from 'chai';
import type { Following, ToldEnding } from '../../src/application/ports/job-endings-port.ts';
import { placedJob } from './job-control/placed-job.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import { addOne, FAILED, process, retryAfter, uniqueQueue } from './queue-steps.ts';

/** How long after the end of a job it is told, in milliseconds, on a machine that is busy. */
const TELLING_TIME = 1000;

function ended(following: Following, jobId: string): Promise<ToldEnding> {
  return new Promise((resolve) => {
    following.listen(jobId, resolve);
  });
}

/** What every JobEndingsPort promises. */
export function describeJobEndingsPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`JobEndingsPort: ${name}`, () => {
    let harness: QueueHarness;
    let other: QueueReplica;

    before(async () => {
      harness = await createHarness();
      other = await harness.replica();
    });

    after(() => harness.dispose());

    // holds: result.wait
    it('tells of a job that completes or fails, on another replica too', async () => {
      for (const { attempts } of [harness, other]) {
        const queue = uniqueQueue();
        const following = await harness.jobEndings.follow(queue);
        const { id } = await addOne(harness.queues, queue);
        const told = ended(following, id);
        await process(attempts, queue, { kind: 'completed', returnvalue: { some: ['value'] } });
        expect(await told).to.deep.equal({
          state: 'completed',
          returnvalue: { some: ['value'] },
        });
        following.end();
        const again = await harness.jobEndings.follow(queue);
        const { id: next } = await addOne(harness.queues, queue);
        const toldNext = ended(again, next);
        await process(attempts, queue, FAILED);
        expect(await toldNext).to.deep.equal({ state: 'failed', failedReason: FAILED.reason });
        again.end();
      }
    });

    it('tells what ended before it was said which job it is', async () => {
      const queue = uniqueQueue();
      const following = await harness.jobEndings.follow(queue);
      const { id } = await addOne(harness.queues, queue);
      await process(other.attempts, queue, FAILED);
      expect(await ended(following, id)).to.include({ state: 'failed' });
      following.end();
    });

    it('tells of a job that is cancelled, and of one that is not kept', async () => {
      const queue = uniqueQueue();
      const following = await harness.jobEndings.follow(queue);
      const id = await placedJob(harness, queue, 'delayed');
      const told = ended(following, id);
      await other.jobControl.cancel(queue, id, { reason: 'no more', keep: { count: 0 } });
      expect(await told).to.deep.equal({ state: 'failed', failedReason: 'no more' });
      following.end();
    });

    it('tells nothing of a job that is tried again', async () => {
      const queue = uniqueQueue();
      const following = await harness.jobEndings.follow(queue);
      const told: ToldEnding[] = [];
      const { id } = await addOne(harness.queues, queue, { attempts: 2 });
      following.listen(id, (ending) => told.push(ending));
      await process(harness.attempts, queue, retryAfter(0));
      const last = await harness.jobEndings.follow(queue);
      const end = ended(last, id);
      await process(harness.attempts, queue, FAILED);
      await end;
      expect(told).to.have.length(1);
      following.end();
      last.end();
    });

    it('tells each of many who follow of its own job, and soon', async () => {
      const queues = Array.from({ length: 20 }, () => uniqueQueue());
      const followings = await Promise.all(queues.map((queue) => harness.jobEndings.follow(queue)));
      const told = await Promise.all(
        queues.map(async (queue, index) => {
          const { id } = await addOne(harness.queues, queue);
          const end = ended(followings[index]!, id);
          await process(other.attempts, queue, { kind: 'completed', returnvalue: index });
          const begun = performance.now();
          const ending = await end;
          expect(performance.now() - begun).to.be.below(TELLING_TIME);
          return ending;
        }),
      );
      expect(told).to.deep.equal(
        queues.map((_, returnvalue) => ({ state: 'completed', returnvalue })),
      );
      for (const following of followings) following.end();
    });

    it('tells nothing once it is ended', async () => {
      const queue = uniqueQueue();
      const [first, second] = [
        await harness.jobEndings.follow(queue),
        await harness.jobEndings.follow(queue),
      ];
      const { id } = await addOne(harness.queues, queue);
      const told: ToldEnding[] = [];
      first.listen(id, (ending) => told.push(ending));
      const end = ended(second, id);
      first.end();
      await process(harness.attempts, queue, FAILED);
      await end;
      expect(told).to.deep.equal([]);
      second.end();
    });
  });
}
