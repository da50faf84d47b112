import { expect } from 'chai';
import { rounds } from '../../support/lane.ts';
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

/** More than the 16 MB that stores keep in memory of what is on their disk, or than the 1 MB of the embedded harness. */
const MANY = rounds(45, 8);
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

    // holds: attempts.record
    it('follows a job that ends and starts over, however large its result is', async () => {
      const { queues, attempts, jobControl, redaction, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const replica = await harness().replica();
      const answered = async (): Promise<readonly (string | null | undefined)[]> => {
        const recorded = await replica.queues.attempts(queue, id);
        return recorded?.attempts.map(({ response }) => response) ?? [];
      };
      const call = { outcome: 'completed', status: 200 } as const;
      const complete = async (returnvalue: string, response: string): Promise<void> => {
        const attempt = await take(attempts, queue);
        const ending = { kind: 'completed', returnvalue, call: { ...call, response } } as const;
        await attempts.settle(queue, attempt, ending);
        await advance(1000);
      };
      for (const [returnvalue, response, all] of [
        [progressOf(1), 'one', ['one']],
        ['little', 'two', ['one', 'two']],
        [progressOf(3), 'three', ['one', 'two', 'three']],
      ] as const) {
        await complete(returnvalue, response);
        const job = await read(replica.queues, queue, id);
        expect(job.returnvalue === returnvalue, response).to.equal(true);
        expect(await answered()).to.deep.equal(all);
        await jobControl.retry(queue, id, {});
        await advance(1000);
        expect((await read(replica.queues, queue, id)).returnvalue).to.equal(null);
        expect(await answered()).to.deep.equal(all);
      }
      await complete(progressOf(4), 'four');
      await redaction.redactBeyond([{ queue, keep: 0 }]);
      await advance(1000);
      expect((await read(replica.queues, queue, id)).returnvalue).to.equal(null);
      expect(await answered()).to.deep.equal([null, null, null, null]);
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
