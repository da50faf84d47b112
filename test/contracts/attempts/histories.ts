import { expect } from 'chai';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  findStalled,
  read,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

/** More than the 16 MB that stores keep in memory of what is on their disk. */
const MANY = 45;
const SIZE = 400_000;

const progressOf = (index: number): string => `${index} `.padEnd(SIZE, 'x');

export function describeHistories(harness: () => QueueHarness): void {
  describe('what attempts left of jobs that wait again', () => {
    // holds: attempts.record, store.size
    it('is there as it was last, however much it is', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, ...Array.from({ length: MANY }, () => ({})));
      for (let index = 0; index < MANY; index += 1) {
        const attempt = await take(attempts, queue);
        await attempts.reportProgress(queue, attempt, progressOf(index));
        const call = { outcome: 'failed', status: 500, response: `answer ${index}` } as const;
        await attempts.settle(queue, attempt, {
          kind: 'retry',
          reason: `reason ${index}`,
          delay: 1_000_000,
          call,
        });
      }
      await advance(1000);
      const replica = await harness().replica();
      const wrongIn = async (from: QueueReplica, numbers = [1]): Promise<readonly string[]> => {
        const wrong: string[] = [];
        for (const [index, id] of ids.entries()) {
          const job = await read(from.queues, queue, id);
          const recorded = await from.queues.attempts(queue, id);
          const isRight =
            job.progress === progressOf(index) &&
            job.failedReason === `reason ${index}` &&
            job.stacktrace?.[0] === `reason ${index}` &&
            recorded?.attempts[0]?.response === `answer ${index}` &&
            recorded.attempts.map(({ number }) => number).join() === numbers.join();
          if (!isRight) wrong.push(id);
        }
        return wrong;
      };
      for (const from of [harness(), replica]) expect(await wrongIn(from)).to.deep.equal([]);
      for (const id of ids) await jobControl.promote(queue, id);
      for (const id of ids) {
        expect((await take(replica.attempts, queue, SHORTLY)).job.id).to.equal(id);
      }
      await advance(SOON);
      expect(await findStalled(harness(), queue)).to.have.members(ids);
      for (const from of [harness(), replica]) {
        expect(await wrongIn(from, [1, 2])).to.deep.equal([]);
      }
    });

    it('goes with a job, and is not of one that gets its id', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const opts = { jobId: 'one' };
      await addOne(queues, queue, opts);
      const attempt = await take(attempts, queue);
      await attempts.settle(queue, attempt, { kind: 'retry', reason: 'it broke', delay: 1000 });
      await advance(1000);
      await jobControl.remove(queue, 'one');
      await addOne(queues, queue, opts);
      await advance(1000);
      expect(await read(queues, queue, 'one')).to.include({ stacktrace: null, progress: 0 });
      expect(await queues.attempts(queue, 'one')).to.deep.equal({ count: 0, attempts: [] });
    });
  });
}
