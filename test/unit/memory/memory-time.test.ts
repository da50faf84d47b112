import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  HOUR,
  pick,
  process,
  retryAfter,
  statusOf,
  take,
  takenIds,
  STALLED_GRACE,
} from '../../contracts/queue-steps.ts';
import { memoryQueueHarness, type MemoryQueueHarness } from '../../support/memory-queue-harness.ts';

const QUEUE = queueNamed('mail');
const NEVER = new AbortController().signal;

describe('queues in memory, to the millisecond', () => {
  let harness: MemoryQueueHarness;

  beforeEach(() => {
    harness = memoryQueueHarness();
  });

  it('hold a lock until its duration is over', async () => {
    const { queues, attempts, advance } = harness;
    await addOne(queues, QUEUE);
    const attempt = await take(attempts, QUEUE, { ...ANY, lockDuration: 30 });
    await advance(29);
    expect(await attempts.renew(QUEUE, [attempt], 50)).to.deep.equal([]);
    await advance(49);
    expect(await attempts.recoverStalled(QUEUE, 1)).to.deep.equal({ stalled: [] });
    await advance(STALLED_GRACE);
    const { checkAgainAt } = await attempts.recoverStalled(QUEUE, 1);
    expect(checkAgainAt).to.equal(harness.now() + STALLED_GRACE);
  });

  it('make a delayed job available at its time', async () => {
    const { queues, attempts, advance, now } = harness;
    await addOne(queues, QUEUE, { delay: 30 });
    await advance(29);
    expect(await attempts.claim(QUEUE, claimOf(ANY))).to.deep.equal({
      kind: 'idle',
      nextAt: now() + 1,
    });
    await advance(1);
    await take(attempts, QUEUE);
  });

  it('take jobs that fall due together in the order they were delayed', async () => {
    const { queues, attempts, advance } = harness;
    const ids = await addEach(queues, QUEUE, {}, { delay: 20 }, { delay: 10 }, { delay: 20 });
    await process(attempts, QUEUE, retryAfter(20));
    await advance(20);
    expect(await takenIds(attempts, QUEUE)).to.deep.equal(pick(ids, 2, 1, 3, 0));
  });

  it('allow no more calls than a limiter says in any window, which is stretched by a twentieth', async () => {
    const { queues, attempts, advance, now } = harness;
    const request = { ...ANY, limiter: { max: 2, duration: 100 } };
    await addEach(queues, QUEUE, {}, {}, {}, {}, {});
    await advance(70);
    await take(attempts, QUEUE, request);
    const until = now() + 105;
    await advance(95);
    await take(attempts, QUEUE, request);
    expect(await attempts.claim(QUEUE, claimOf(request))).to.deep.equal({ kind: 'limited', until });
    await advance(9);
    expect(await attempts.claim(QUEUE, claimOf(request))).to.deep.equal({ kind: 'limited', until });
    await advance(1);
    await take(attempts, QUEUE, request);
    expect(await attempts.claim(QUEUE, claimOf(request))).to.deep.equal({
      kind: 'limited',
      until: until + 95,
    });
  });

  it('check for stalled jobs again when the grace period is over', async () => {
    const { queues, attempts, advance, now } = harness;
    await addOne(queues, QUEUE);
    await take(attempts, QUEUE, { ...ANY, lockDuration: 10 });
    await advance(10);
    const check = () => attempts.recoverStalled(QUEUE, 1);
    const checkAgainAt = now() + STALLED_GRACE;
    expect(await check()).to.deep.equal({ stalled: [], checkAgainAt });
    await advance(STALLED_GRACE - 1);
    expect(await check()).to.deep.equal({ stalled: [] });
    await advance(1);
    expect(await check()).to.deep.equal({ stalled: ['1'] });
  });

  it('put stalled jobs ahead of all others, in the order in which they had started', async () => {
    const { queues, attempts, advance } = harness;
    const ids = await addEach(queues, QUEUE, {}, { priority: 1 }, {}, { priority: 1 });
    for (let turn = 0; turn < 3; turn += 1) {
      await take(attempts, QUEUE, { ...ANY, lockDuration: 10 });
    }
    ids.push(...(await addEach(queues, QUEUE, {})));
    await advance(10);
    await attempts.recoverStalled(QUEUE, 1);
    await advance(10);
    await attempts.recoverStalled(QUEUE, 1);
    expect(await takenIds(attempts, QUEUE)).to.deep.equal(pick(ids, 0, 2, 1, 4, 3));
  });

  it('keep finished jobs up to their age', async () => {
    const { queues, attempts, advance } = harness;
    const ids = await addEach(queues, QUEUE, {}, {}, {});
    const ending = { ...COMPLETED, keep: { age: 1 } };
    await process(attempts, QUEUE, ending);
    await advance(999);
    await process(attempts, QUEUE, ending);
    expect(await statusOf(queues, QUEUE, ids[0] ?? '')).to.deep.equal(['completed']);
    await advance(1);
    await process(attempts, QUEUE, ending);
    expect(await statusOf(queues, QUEUE, ids[0] ?? '')).to.deep.equal([]);
    expect(await statusOf(queues, QUEUE, ids[1] ?? '')).to.deep.equal(['completed']);
  });

  describe('let a consumer wait', () => {
    /** Whether the wait has ended, once everything that could end it has happened. */
    const ended = async (wait: Promise<void>): Promise<boolean> => {
      let over = false;
      void wait.then(() => (over = true));
      await harness.advance(0);
      return over;
    };

    const wait = (): Promise<void> =>
      harness.attempts.waitForJobs(QUEUE, harness.now() + HOUR, NEVER);

    /** Uses up the changes that earlier steps left for the next waiter. */
    const useUp = async (): Promise<void> => {
      const { attempts, now } = harness;
      await attempts.waitForJobs(QUEUE, now(), NEVER);
    };

    it('until the next delayed job falls due', async () => {
      const { queues, advance } = harness;
      await addEach(queues, QUEUE, { delay: 50 }, { delay: 20 });
      await useUp();
      const waiting = wait();
      await advance(19);
      expect(await ended(waiting)).to.equal(false);
      await advance(1);
      expect(await ended(waiting)).to.equal(true);
    });

    it('once for each time that jobs fall due, though none of them can be taken', async () => {
      const { queues, advance } = harness;
      await addEach(queues, QUEUE, { delay: 20 }, { delay: 20 }, { delay: 50 });
      await useUp();
      const first = wait();
      await advance(20);
      expect(await ended(first)).to.equal(true);
      const second = wait();
      await advance(49);
      expect(await ended(second)).to.equal(false);
    });

    it('until there is a change, including an earlier one', async () => {
      const { queues } = harness;
      await addEach(queues, QUEUE, {}, {});
      expect(await ended(wait())).to.equal(true);
      const waiting = wait();
      expect(await ended(waiting)).to.equal(false);
      await addOne(queues, QUEUE);
      expect(await ended(waiting)).to.equal(true);
      expect(await ended(wait())).to.equal(false);
    });

    it('while a freed slot is taken again in the same step', async () => {
      const { queues, attempts, replica, now } = harness;
      const { attempts: other } = await replica();
      const one = { ...ANY, concurrency: 1 };
      await addEach(queues, QUEUE, {}, {});
      await useUp();
      const attempt = await take(attempts, QUEUE, one);
      const waiting = other.waitForJobs(QUEUE, now() + HOUR, NEVER);
      await attempts.settle(QUEUE, attempt, COMPLETED, claimOf(one));
      expect(await ended(waiting)).to.equal(false);
    });

    it('and leave nothing behind when the wait is over', async () => {
      const { queues, attempts, clock, now } = harness;
      const controller = new AbortController();
      const { signal } = controller;
      await attempts.claim(QUEUE, claimOf(ANY));
      const aborted = attempts.waitForJobs(QUEUE, Infinity, signal);
      const woken = attempts.waitForJobs(QUEUE, now() + HOUR, NEVER);
      expect(clock.sleepers).to.equal(2);
      controller.abort();
      await aborted;
      expect(clock.sleepers).to.equal(1);
      await addOne(queues, QUEUE);
      await woken;
      expect(clock.sleepers).to.equal(0);
    });
  });
});
