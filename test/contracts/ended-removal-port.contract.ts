import { expect } from 'chai';
import {
  JOBS_PER_REMOVAL,
  type EndedRemovalPort,
  type RetainedQueue,
} from '../../src/application/ports/ended-removal-port.ts';
import type { RetentionPolicy } from '../../src/domain/policies/retention-policy.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { FlowSteps } from './flows/flow-steps.ts';
import { addLetters, settleNext, starts, within } from './groups/group-steps.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addEach,
  addOne,
  COMPLETED,
  countsOf,
  FAILED,
  jobOf,
  listed,
  logsOf,
  pick,
  process,
  take,
  uniqueQueue,
} from './queue-steps.ts';
import { manyEndedBesideOne } from './many-ended.ts';
import { isVolumePlayedOn } from './played-on.ts';

const BLOCK = within({ ordered: 'block' });

/** What every EndedRemovalPort promises. */
export function describeEndedRemovalPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`EndedRemovalPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    /** Makes steps until nothing is left. @returns how many jobs each of them removed. */
    async function sweep(
      queues: readonly RetainedQueue[],
      removal: EndedRemovalPort = harness.endedRemoval,
    ): Promise<readonly number[]> {
      const counts: number[] = [];
      for (let left = queues; left.length > 0;) {
        const step = await removal.removeBeyond(left);
        counts.push(step.count);
        ({ left } = step);
      }
      return counts;
    }
    const removed = async (queue: QueueName, retention: RetentionPolicy): Promise<number> =>
      (await sweep([{ queue, retention }])).reduce((sum, each) => sum + each, 0);

    for (const [state, ending] of [
      ['completed', COMPLETED],
      ['failed', FAILED],
    ] as const) {
      // holds: retention.age
      it(`removes ${state} jobs that ended too long ago, and no others`, async () => {
        const { queues, attempts, advance } = harness;
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, { removeOnComplete: false }, {}, {});
        await process(attempts, queue, ending);
        await process(attempts, queue, ending);
        await advance(1000);
        await process(attempts, queue, ending);
        await take(attempts, queue);
        expect(await removed(queue, { [state]: { age: 1 } })).to.equal(2);
        expect(await listed(queues, queue, state)).to.deep.equal(pick(ids, 2));
        expect(await queues.find(queue, ids[0]!)).to.equal(undefined);
        expect(await countsOf(queues, queue)).to.include({ active: 1 });
        expect(await removed(queue, { [state]: { age: 1 } })).to.equal(0);
      });

      // holds: retention.count
      it(`keeps the latest ${state} jobs up to the count, of those that ended otherwise all`, async () => {
        const { queues, attempts, advance } = harness;
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, {}, {}, {});
        for (let count = 0; count < 3; count += 1) {
          await process(attempts, queue, ending);
          await advance(2);
        }
        const otherwise = state === 'failed' ? COMPLETED : FAILED;
        await process(attempts, queue, otherwise);
        expect(await removed(queue, { [state]: { count: 2 } })).to.equal(1);
        expect(await listed(queues, queue, 'completed', 'failed')).to.have.members(
          pick(ids, 1, 2, 3),
        );
        expect(await removed(queue, { [state]: { count: 1, age: 100 } })).to.equal(1);
        expect(await removed(queue, { [state]: { count: 0 } })).to.equal(1);
        expect(await listed(queues, queue, 'completed', 'failed')).to.deep.equal(pick(ids, 3));
      });
    }

    if (isVolumePlayedOn(name)) {
      // holds: retention.steps
      it('removes many in short steps, in which other queues have their turn', async () => {
        const { queues, attempts } = harness;
        const [large, small] = await manyEndedBesideOne(harness, 2 * JOBS_PER_REMOVAL + 50);
        await addOne(queues, large);
        await process(attempts, large, COMPLETED);
        const retention = { completed: { count: 0 }, failed: { count: 0 } };
        const both = [large, small].map((queue) => ({ queue, retention }));
        const first = await harness.endedRemoval.removeBeyond(both);
        expect(first.count, 'of both states').to.equal(JOBS_PER_REMOVAL);
        expect(first.left.map(({ queue }) => queue)).to.deep.equal([small, large]);
        const counts = await sweep(first.left, (await harness.replica()).endedRemoval);
        expect(counts, 'of both queues').to.deep.equal([JOBS_PER_REMOVAL, 52]);
        for (const queue of [large, small]) {
          expect(await countsOf(queues, queue)).to.include({ completed: 0, failed: 0 });
        }
      });
    }

    // holds: retention.follows
    it('lets deduplication ids stand, and tells nobody, as where the end of another job removes', async () => {
      const { queues, attempts, events } = harness;
      const queue = uniqueQueue();
      const opts = { deduplication: { id: 'one', ttl: 60_000 } };
      const { id } = await addOne(queues, queue, opts);
      await process(attempts, queue, COMPLETED);
      expect(await removed(queue, { completed: { count: 0 } })).to.equal(1);
      const [again] = await queues.add(queue, [jobOf(opts)]);
      expect(again).to.include({ id });
      const stored = await events.read(queue, '0-0');
      expect(stored.events.map(({ name }) => name)).not.to.include('removed');
    });

    // holds: retention.follows
    it('lets no parent wait for a failed child that is gone', async () => {
      const steps = new FlowSteps(harness);
      const [parent] = await steps.added([{}, {}]);
      await steps.complete();
      await steps.fail();
      expect(await removed(steps.below, { completed: { count: 0 } })).to.equal(1);
      expect(await steps.stateOf(parent!)).to.equal('waiting-children');
      expect(await removed(steps.below, { failed: { count: 0 } })).to.equal(1);
      expect(await steps.stateOf(parent!)).to.equal('waiting');
    });

    // holds: retention.follows
    it('frees the group that a failed job blocks', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      await addLetters(queues, queue, 'aa');
      await settleNext(attempts, queue, FAILED, BLOCK);
      expect(await starts(attempts, queue, BLOCK)).to.equal('');
      expect(await removed(queue, { failed: { age: 0 } })).to.equal(1);
      expect(await starts(attempts, queue, BLOCK)).to.equal('a');
    });

    // holds: retention.follows
    it('removes the log with the job', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { jobId: 'logged' });
      const attempt = await take(attempts, queue);
      await attempts.addLog(queue, attempt, 'begun');
      await attempts.settle(queue, attempt, COMPLETED);
      expect(await logsOf(queues, queue, id)).to.deep.equal({ count: 1, logs: ['begun'] });
      expect(await removed(queue, { completed: { count: 0 } })).to.equal(1);
      await addOne(queues, queue, { jobId: 'logged' });
      expect(await logsOf(queues, queue, id)).to.deep.equal({ count: 0, logs: [] });
    });

    it('creates no queue', async () => {
      const queue = uniqueQueue();
      expect(await removed(queue, { completed: { count: 0 }, failed: { age: 0 } })).to.equal(0);
      expect(await harness.queueDirectory.glances([queue])).to.deep.equal([undefined]);
    });
  });
}
