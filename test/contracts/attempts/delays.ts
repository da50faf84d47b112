import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  factsOf,
  listed,
  pick,
  read,
  statusOf,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

export function describeDelays(harness: () => QueueHarness): void {
  describe('delayed jobs', () => {
    // holds: options.delay
    it('are not taken early, and the claim says when the next falls due', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { delay: 5000 });
      const { timestamp } = await addOne(queues, queue, { delay: 1000 });
      const nextAt = timestamp + 1000;
      expect(await attempts.claim(queue, claimOf(ANY))).to.deep.equal({ kind: 'idle', nextAt });
      await advance(10);
      expect(await attempts.claim(queue, claimOf(ANY))).to.deep.equal({ kind: 'idle', nextAt });
    });

    it('leave waiting jobs alone while they are not due', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, { delay: 5000 }, {}, { priority: 1 });
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 1, 2));
    });

    it('are taken once due, their delay being over', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const added = await addOne(queues, queue, { delay: 30 });
      await advance(30);
      const { job } = await take(attempts, queue);
      expect(job).to.deep.equal({
        ...added,
        state: 'active',
        delay: 0,
        attemptsStarted: 1,
        processedOn: job.processedOn,
      });
      expect(job.opts.delay).to.equal(30);
      expect(factsOf(await queues.find(queue, job.id))).to.deep.equal(factsOf(job));
    });

    // holds: options.delayed-first, adding.due-first
    it('go ahead of waiting and prioritized jobs once due, earliest due first', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(
        queues,
        queue,
        {},
        { delay: 30 },
        { priority: 1 },
        { delay: 10 },
        { lifo: true },
        { delay: 20 },
        { delay: 60_000 },
      );
      await advance(40);
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 3, 5, 1, 4, 0, 2));
    });

    it('stay delayed until they are taken', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const [first = '', second = ''] = await addEach(queues, queue, { delay: 10 }, { delay: 20 });
      await advance(30);
      expect(await statusOf(queues, queue, first)).to.deep.equal(['delayed']);
      expect((await take(attempts, queue)).job.id).to.equal(first);
      expect(await statusOf(queues, queue, second)).to.deep.equal(['delayed']);
      expect((await take(attempts, queue)).job.id).to.equal(second);
    });

    it('join the others of their priority once due', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(
        queues,
        queue,
        { delay: 10, priority: 2 },
        { priority: 3 },
        { priority: 2 },
        { priority: 1 },
        {},
      );
      await advance(20);
      expect((await take(attempts, queue)).job.id).to.equal(ids[4]);
      expect(await listed(queues, queue, 'delayed')).to.deep.equal([]);
      expect((await read(queues, queue, ids[0] ?? '')).delay).to.equal(0);
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 3, 2, 0, 1));
    });
  });
}
