import { expect } from 'chai';
import { newJob } from '../../../src/domain/jobs/job.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { collected } from '../../support/collected.ts';
import { FlowSteps, unbounded } from '../flows/flow-steps.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  COMPLETED,
  FAILED,
  findStalled,
  HOUR,
  process,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';
import { addLetters, inGroup, turns } from './group-steps.ts';

/** More jobs than one step of any store adds. */
const MANY = 1200;

type Wait = (harness: QueueHarness, queue: QueueName) => Promise<unknown>;

/** How a job without a group comes to wait in a queue where nothing waits or runs. */
const NEW_WAITS: Readonly<Record<string, Wait>> = {
  'is added': ({ queues }, queue) => addOne(queues, queue),
  'is added with a flow': (harness, queue) => new FlowSteps(harness).added([], { queue }),
  'is promoted': async ({ queues, jobControl }, queue) => {
    const { id } = await addOne(queues, queue, { delay: HOUR });
    await jobControl.promote(queue, id);
  },
  'is retried by hand': async ({ queues, attempts, jobControl }, queue) => {
    const { id } = await addOne(queues, queue);
    await process(attempts, queue, FAILED);
    await jobControl.retry(queue, id, {});
  },
  'has waited for a child': async (harness, queue) => {
    const steps = new FlowSteps(harness);
    await steps.added([{}], { queue });
    await steps.complete();
  },
  'follows another of its deduplication id': async ({ queues, attempts }, queue) => {
    const deduplication = { id: 'one', keepLastIfActive: true };
    await addOne(queues, queue, { deduplication });
    const first = await take(attempts, queue);
    await addOne(queues, queue, { deduplication });
    await attempts.settle(queue, first, COMPLETED);
  },
};

/** How the only job of a queue, which has no group, goes back once it has started. */
const RETURNS: Readonly<Record<string, Wait>> = {
  'is retried at once': async ({ attempts }, queue) => {
    await process(attempts, queue, retryAfter(0));
  },
  'is released': async ({ attempts }, queue) => {
    await attempts.release(queue, await take(attempts, queue));
  },
  stalls: async (harness, queue) => {
    await take(harness.attempts, queue, SHORTLY);
    await harness.advance(SOON);
    await findStalled(harness, queue);
  },
};

export function describeUngroupedTurns(harness: () => QueueHarness): void {
  describe('jobs without a group, beside groups', () => {
    let queue: QueueName;

    beforeEach(async () => {
      queue = uniqueQueue();
      await addOne(harness().queues, queue, inGroup('later', { delay: HOUR }));
    });

    for (const [way, wait] of Object.entries(NEW_WAITS)) {
      // holds: groups.turns
      it(`take a turn ahead of a group whose job came later, where one ${way}`, async () => {
        const { queues, attempts } = harness();
        await wait(harness(), queue);
        await addLetters(queues, queue, 'a');
        expect(await turns(attempts, queue)).to.equal('-a');
      });
    }

    for (const [way, goBack] of Object.entries(RETURNS)) {
      // holds: groups.turns
      it(`remember their turn where the only one ${way}`, async () => {
        const { queues, attempts } = harness();
        await addOne(queues, queue);
        await goBack(harness(), queue);
        await addLetters(queues, queue, 'a');
        expect(await turns(attempts, queue)).to.equal('a-');
      });
    }

    // holds: groups.turns
    it('take a turn as of when the first of them falls due', async () => {
      const { queues, attempts, advance } = harness();
      await addLetters(queues, queue, 'b');
      await take(attempts, queue);
      await addEach(queues, queue, { delay: 10 }, inGroup('a', { delay: 20 }));
      await advance(50);
      expect(await turns(attempts, queue)).to.equal('-a');
      await addEach(queues, queue, inGroup('a', { delay: 10 }), { delay: 20 });
      await advance(50);
      expect(await turns(attempts, queue)).to.equal('a-');
    });

    for (const count of [1, MANY]) {
      // holds: groups.turns
      it(`are no group where no job of a group is stored, of ${count} added`, async () => {
        const { queues, groups } = harness();
        const other = uniqueQueue();
        const deduplication = { id: 'one' };
        const duplicate = newJob({ name: 'n', data: 1, opts: inGroup('a', { deduplication }) }, '');
        await addOne(queues, other, { deduplication });
        await queues.add(
          other,
          Array.from({ length: count }, () => duplicate),
        );
        expect(await collected(groups.list(other, undefined))).to.deep.equal([]);
      });
    }

    it('come first where a flow has one ahead of the first job with a group', async () => {
      const { attempts, flows } = harness();
      const other = uniqueQueue();
      const below = { queue: other };
      const steps = new FlowSteps(harness());
      const children = [below, { ...below, opts: inGroup('a') }];
      await flows.add(steps.flow(children), unbounded);
      expect(await turns(attempts, other, ANY)).to.equal('-a');
    });
  });
}
