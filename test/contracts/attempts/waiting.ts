import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { expect } from 'chai';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import {
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  HOUR,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
  type ClaimTerms,
} from '../queue-steps.ts';

const ONE_AT_A_TIME: ClaimTerms = { ...ANY, concurrency: 1 };
const NEVER = new AbortController().signal;

export function describeWaiting(harness: () => QueueHarness): void {
  /** Whatever ends the wait of an idle replica, a job has to be there for it. */
  const getsJobAfter = async (
    { attempts }: QueueReplica,
    queue: QueueName,
    terms: ClaimTerms,
    event: () => Promise<unknown>,
  ): Promise<void> => {
    expect((await attempts.claim(queue, claimOf(terms))).kind).to.equal('idle');
    const waiting = attempts.waitForJobs(queue, harness().now() + HOUR, NEVER);
    await event();
    await waiting;
    await take(attempts, queue, terms);
  };

  /** Uses up what earlier steps left to wake somebody, so that only what follows can end a wait. */
  const useUpWakeUps = async ({ attempts }: QueueReplica, queue: QueueName): Promise<void> => {
    const waiting = attempts.waitForJobs(queue, harness().now() + 20, NEVER);
    await harness().advance(20);
    await waiting;
  };

  describe('waiting for jobs', () => {
    it('ends when a job is added, here or by another replica', async () => {
      const { queues } = harness();
      const replica = await harness().replica();
      for (const each of [harness(), replica]) {
        const queue = uniqueQueue();
        await getsJobAfter(each, queue, ANY, () => addOne(queues, queue));
      }
    });

    it('ends when a prioritized job is added', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      await getsJobAfter(harness(), queue, ANY, () => addOne(queues, queue, { priority: 4 }));
    });

    it('ends when a job was added between the claim and the wait', async () => {
      const { queues, attempts, now } = harness();
      const queue = uniqueQueue();
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      await addOne(queues, queue);
      await attempts.waitForJobs(queue, now() + HOUR, NEVER);
      await take(attempts, queue);
    });

    it('ends for each job anew', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      for (let turn = 0; turn < 3; turn += 1) {
        await getsJobAfter(harness(), queue, ANY, () => addOne(queues, queue));
      }
    });

    it('ends when a job is retried', async () => {
      const { queues, attempts } = harness();
      const replica = await harness().replica();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      await getsJobAfter(replica, queue, ANY, () => attempts.settle(queue, attempt, retryAfter(0)));
    });

    for (const [name, opts] of [
      ['job', {}],
      ['prioritized job', { priority: 4 }],
    ] as const) {
      it(`ends when a ${name} is released`, async () => {
        const { queues, attempts } = harness();
        const replica = await harness().replica();
        const queue = uniqueQueue();
        await addOne(queues, queue, opts);
        const attempt = await take(attempts, queue);
        await useUpWakeUps(replica, queue);
        await getsJobAfter(replica, queue, ANY, () => attempts.release(queue, attempt));
      });
    }

    for (const [name, ending] of [
      ['ends', COMPLETED],
      ['is to be retried later', retryAfter(HOUR)],
    ] as const) {
      it(`ends when an attempt ${name} that took the only place`, async () => {
        const { queues, attempts } = harness();
        const replica = await harness().replica();
        const queue = uniqueQueue();
        await addOne(queues, queue);
        await addOne(queues, queue);
        const attempt = await take(attempts, queue, ONE_AT_A_TIME);
        await useUpWakeUps(replica, queue);
        await getsJobAfter(replica, queue, ONE_AT_A_TIME, () =>
          attempts.settle(queue, attempt, ending),
        );
      });
    }

    it('ends when a job is found stalled', async () => {
      const { queues, attempts, advance } = harness();
      const replica = await harness().replica();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await advance(SOON);
      const check = () => attempts.recoverStalled(queue, 1);
      await check();
      await advance(20);
      await getsJobAfter(replica, queue, ANY, check);
    });

    for (const [name, opts] of [
      ['job', {}],
      ['prioritized job', { priority: 4 }],
      ['delayed job', { delay: 50 }],
    ] as const) {
      it(`ends at the stalled check for a ${name} whose wake-up went to a replica that died`, async () => {
        const { queues, attempts, advance, now } = harness();
        const dead = await harness().replica();
        const queue = uniqueQueue();
        await dead.attempts.recoverStalled(queue, 1);
        expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
        await addOne(queues, queue, opts);
        await useUpWakeUps(dead, queue);
        const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
        await attempts.recoverStalled(queue, 1);
        await advance(50);
        await waiting;
        await take(attempts, queue);
      });
    }

    it('ends when the next delayed job falls due', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { delay: 50 });
      const claim = await attempts.claim(queue, claimOf(ANY));
      if (claim.kind !== 'idle' || claim.nextAt === undefined) throw new Error('Not told when');
      const waiting = attempts.waitForJobs(queue, claim.nextAt, NEVER);
      await advance(50);
      await waiting;
      await take(attempts, queue);
    });

    it('ends in time for a delayed job that is added meanwhile', async () => {
      const { queues, attempts, advance, now } = harness();
      const queue = uniqueQueue();
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      const first = attempts.waitForJobs(queue, now() + HOUR, NEVER);
      await addOne(queues, queue, { delay: 50 });
      // The wait may end now, for the next claim to return when the job falls due, or only then.
      await advance(20);
      const claim = await attempts.claim(queue, claimOf(ANY));
      if (claim.kind !== 'idle' || claim.nextAt === undefined) throw new Error('Not told when');
      const second = attempts.waitForJobs(queue, claim.nextAt, NEVER);
      await advance(30);
      await Promise.all([first, second]);
      await take(attempts, queue);
    });

    it('ends at the time it was asked for', async () => {
      const { attempts, advance, now } = harness();
      const queue = uniqueQueue();
      await attempts.claim(queue, claimOf(ANY));
      const waiting = attempts.waitForJobs(queue, now() + 50, NEVER);
      await advance(50);
      await waiting;
      await attempts.waitForJobs(queue, now(), NEVER);
      await attempts.waitForJobs(queue, now() - 1000, NEVER);
    });

    it('ends when it is aborted, and at once when it was before', async () => {
      const { attempts, now } = harness();
      const queue = uniqueQueue();
      const controller = new AbortController();
      await attempts.claim(queue, claimOf(ANY));
      const waiting = attempts.waitForJobs(queue, now() + HOUR, controller.signal);
      controller.abort();
      await waiting;
      await attempts.waitForJobs(queue, now() + HOUR, controller.signal);
    });

    it('of many queues end each by itself', async () => {
      const { queues, attempts, now } = harness();
      const names = Array.from({ length: 20 }, () => uniqueQueue());
      for (const queue of names) await attempts.claim(queue, claimOf(ANY));
      const waits = names.map((queue) =>
        attempts.waitForJobs(queue, now() + HOUR, new AbortController().signal),
      );
      for (const queue of names.toReversed()) await addOne(queues, queue);
      await Promise.all(waits);
      for (const queue of names) await take(attempts, queue);
    });
  });
}
