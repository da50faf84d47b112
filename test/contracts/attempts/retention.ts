import { expect } from 'chai';
import type { Retention } from '../../../src/domain/jobs/job-retention.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  COMPLETED,
  countsOf,
  factsOf,
  FAILED,
  listed,
  pick,
  process,
  take,
  uniqueQueue,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

export function describeRetention(harness: () => QueueHarness, store: string): void {
  for (const ending of [COMPLETED, FAILED]) {
    const keeping = (keep: Retention | undefined) => ({ ...ending, keep });

    describe(`keeping ${ending.kind} jobs`, () => {
      // holds: worker-options.keep-all
      it('keeps all of them without a rule', async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, {}, {});
        await process(attempts, queue, ending);
        await process(attempts, queue, keeping(undefined));
        await process(attempts, queue, keeping({}));
        const kept = await listed(queues, queue, 'completed', 'failed');
        expect(kept).to.have.members(ids);
      });

      // holds: states.removed
      it('keeps the newest ones up to the count', async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, {}, {}, {}, {});
        for (const id of ids) {
          expect(await process(attempts, queue, keeping({ count: 2 }))).to.equal(id);
          await advance(2);
        }
        const kept = await listed(queues, queue, 'completed', 'failed');
        expect(kept).to.deep.equal(pick(ids, 4, 3));
        for (const id of pick(ids, 0, 1, 2)) {
          expect(await queues.find(queue, id)).to.equal(undefined);
        }
      });

      it('keeps those with the last ids of jobs that ended in the same millisecond', async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        await addEach(queues, queue, { jobId: 'c' }, { jobId: 'a' }, { jobId: 'b' }, {});
        const taken = [];
        for (let index = 0; index < 3; index += 1) taken.push(await take(attempts, queue));
        await Promise.all(taken.map((attempt) => attempts.settle(queue, attempt, ending)));
        await advance(2);
        const last = await process(attempts, queue, keeping({ count: 2 }));
        const kept = await listed(queues, queue, 'completed', 'failed');
        expect(kept).to.deep.equal([last, 'c']);
      });

      it('removes the job at once for count 0', async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const { id } = await addOne(queues, queue);
        await process(attempts, queue, keeping({ count: 0 }));
        expect(await queues.find(queue, id)).to.equal(undefined);
        expect(await listed(queues, queue, 'completed', 'failed')).to.deep.equal([]);
      });

      for (const rule of [{ count: 0 }, { count: 0, age: 0 }]) {
        // holds: job-options.retention-zero
        it(`removes the job alone, and none that ended before: ${JSON.stringify(rule)}`, async () => {
          const { queues, attempts, advance } = harness();
          const queue = uniqueQueue();
          const ids = await addEach(queues, queue, {}, {}, {});
          await process(attempts, queue, ending);
          await process(attempts, queue, ending);
          await advance(2);
          await process(attempts, queue, keeping(rule));
          const kept = await listed(queues, queue, 'completed', 'failed');
          expect(kept).to.have.members(pick(ids, 0, 1));
        });
      }

      // holds: worker-options.lazy-removal
      it('removes those beyond the age, not before another job finishes', async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, {}, {});
        await process(attempts, queue, keeping({ age: 1 }));
        await process(attempts, queue, keeping({ age: 1 }));
        await advance(1100);
        expect(await listed(queues, queue, 'completed', 'failed')).to.have.lengthOf(2);
        await process(attempts, queue, keeping({ age: 1 }));
        expect(await listed(queues, queue, 'completed', 'failed')).to.deep.equal(pick(ids, 2));
      });

      // holds: worker-options.age
      it('takes age as seconds', async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        await addEach(queues, queue, {}, {});
        await process(attempts, queue, keeping({ age: 5 }));
        await advance(50);
        await process(attempts, queue, keeping({ age: 5 }));
        expect(await listed(queues, queue, 'completed', 'failed')).to.have.lengthOf(2);
      });

      // holds: worker-options.count-and-age
      it('applies count and age together', async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, {}, {}, {}, {});
        await process(attempts, queue, keeping({ count: 3, age: 1 }));
        await advance(1100);
        for (let turn = 0; turn < 2; turn += 1) {
          await process(attempts, queue, keeping({ count: 3, age: 1 }));
          await advance(2);
        }
        expect(await listed(queues, queue, 'completed', 'failed')).to.deep.equal(pick(ids, 2, 1));
        for (let turn = 0; turn < 2; turn += 1) {
          await process(attempts, queue, keeping({ count: 3, age: 1 }));
          await advance(2);
        }
        expect(await listed(queues, queue, 'completed', 'failed')).to.deep.equal(
          pick(ids, 4, 3, 2),
        );
      });

      for (const [option, kept] of [
        [true, [0]],
        [false, [0, 1]],
        [0, [0]],
        [1, [1]],
        [{ count: 1 }, [1]],
        [{ age: 60 }, [0, 1]],
        [{}, [0, 1]],
      ] as const) {
        // holds: job-options.retention
        it(`keeps what the job itself says, whatever the worker's rule: ${JSON.stringify(option)}`, async () => {
          const { queues, attempts, advance } = harness();
          const queue = uniqueQueue();
          const rule = { removeOnComplete: option, removeOnFail: option };
          const ids = await addEach(queues, queue, {}, rule);
          await process(attempts, queue, ending);
          await advance(2);
          await process(attempts, queue, keeping({ count: option === true ? 5 : 0 }));
          const left = await listed(queues, queue, 'completed', 'failed');
          expect(left).to.have.members(pick(ids, ...kept));
        });
      }

      // holds: options.finished-id
      it('frees the id of a removed job', async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue, { jobId: 'same' }, 'first');
        await process(attempts, queue, keeping({ count: 0 }));
        const job = await addOne(queues, queue, { jobId: 'same' }, 'second');
        expect(job).to.include({ data: 'second', attemptsMade: 0 });
        expect(factsOf(await queues.find(queue, 'same'))).to.deep.equal(factsOf(job));
      });
    });
  }

  describe('keeping finished jobs', () => {
    if (isVolumePlayedOn(store)) {
      // holds: job-options.retention-age
      it('removes at most 1000 at once for their age, the latest of them first', async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, ...Array.from({ length: 1005 }, () => ({})));
        for (const id of ids.slice(0, 3)) {
          expect(await process(attempts, queue, COMPLETED)).to.equal(id);
          await advance(2);
        }
        for (const id of ids.slice(3, 1003)) {
          expect(await process(attempts, queue, COMPLETED)).to.equal(id);
        }
        await advance(1100);
        await process(attempts, queue, { ...COMPLETED, keep: { age: 1 } });
        const kept = await listed(queues, queue, 'completed');
        expect(kept).to.deep.equal(pick(ids, 1003, 2, 1, 0));
        await process(attempts, queue, { ...COMPLETED, keep: { age: 1 } });
        expect(await listed(queues, queue, 'completed')).to.have.members(pick(ids, 1003, 1004));
      });
    }

    it('counts completed and failed ones apart', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      await process(attempts, queue, COMPLETED);
      await process(attempts, queue, FAILED);
      await process(attempts, queue, { ...FAILED, keep: { count: 1 } });
      expect(await countsOf(queues, queue)).to.include({ completed: 1, failed: 1 });
    });
  });
}
