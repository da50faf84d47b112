import { expect } from 'chai';
import {
  addEach,
  addOne,
  ANY,
  COMPLETED,
  HOUR,
  pick,
  process,
  retryAfter,
  statusOf,
  take,
  takenIds,
} from '../../contracts/queue-steps.ts';
import { memoryQueueHarness, type MemoryQueueHarness } from '../../support/memory-queue-harness.ts';

const QUEUE = 'mail';
const CHECK = { maxStalledCount: 1, interval: 10, grace: 10 };
const NEVER = new AbortController().signal;

describe('queues in memory, to the millisecond', () => {
  let harness: MemoryQueueHarness;

  beforeEach(() => {
    harness = memoryQueueHarness();
  });

  it('hold a lock until its duration is over', async () => {
    const { queues, consumer, advance } = harness;
    await addOne(queues, QUEUE);
    const attempt = await take(consumer, QUEUE, { ...ANY, lockDuration: 30 });
    await advance(29);
    expect(await consumer.extendLocks(QUEUE, [attempt], 50)).to.deep.equal([]);
    await advance(49);
    expect(await queues.updateProgress(QUEUE, '1', attempt.token, 1)).to.equal(true);
    await advance(1);
    expect(await queues.updateProgress(QUEUE, '1', attempt.token, 2)).to.equal(false);
  });

  it('make a delayed job available at its time', async () => {
    const { queues, consumer, advance, now } = harness;
    await addOne(queues, QUEUE, { delay: 30 });
    await advance(29);
    expect(await consumer.claim(QUEUE, ANY)).to.deep.equal({ kind: 'idle', nextAt: now() + 1 });
    await advance(1);
    await take(consumer, QUEUE);
  });

  it('take jobs that fall due together in the order they were delayed', async () => {
    const { queues, consumer, advance } = harness;
    const ids = await addEach(queues, QUEUE, {}, { delay: 20 }, { delay: 10 }, { delay: 20 });
    await process(consumer, QUEUE, retryAfter(20));
    await advance(20);
    expect(await takenIds(consumer, QUEUE)).to.deep.equal(pick(ids, 2, 1, 3, 0));
  });

  it('allow no more calls than a limiter says in any window, which is stretched by a twentieth', async () => {
    const { queues, consumer, advance, now } = harness;
    const request = { ...ANY, limiter: { max: 2, duration: 100 } };
    await addEach(queues, QUEUE, {}, {}, {}, {}, {});
    await advance(70);
    await take(consumer, QUEUE, request);
    const until = now() + 105;
    await advance(95);
    await take(consumer, QUEUE, request);
    expect(await consumer.claim(QUEUE, request)).to.deep.equal({ kind: 'limited', until });
    await advance(9);
    expect(await consumer.claim(QUEUE, request)).to.deep.equal({ kind: 'limited', until });
    await advance(1);
    await take(consumer, QUEUE, request);
    expect(await consumer.claim(QUEUE, request)).to.deep.equal({
      kind: 'limited',
      until: until + 95,
    });
  });

  it('check for stalled jobs again when the interval is over', async () => {
    const { queues, consumer, advance } = harness;
    await addOne(queues, QUEUE);
    await take(consumer, QUEUE, { ...ANY, lockDuration: 10 });
    await advance(10);
    const check = () =>
      consumer.recoverStalled(QUEUE, { maxStalledCount: 1, interval: 60, grace: 30 });
    expect(await check()).to.deep.equal({ stalled: [], suspected: true });
    await advance(29);
    expect(await check()).to.deep.equal({ stalled: [], suspected: false });
    await advance(1);
    expect(await check()).to.deep.equal({ stalled: ['1'], suspected: false });
  });

  it('put stalled jobs ahead of all others, in the order they had started', async () => {
    const { queues, consumer, advance } = harness;
    const ids = await addEach(queues, QUEUE, {}, { priority: 1 }, {}, { priority: 1 });
    for (let turn = 0; turn < 3; turn += 1) {
      await take(consumer, QUEUE, { ...ANY, lockDuration: 10 });
    }
    ids.push(...(await addEach(queues, QUEUE, {})));
    await advance(10);
    await consumer.recoverStalled(QUEUE, CHECK);
    await advance(10);
    await consumer.recoverStalled(QUEUE, CHECK);
    expect(await takenIds(consumer, QUEUE)).to.deep.equal(pick(ids, 0, 2, 1, 4, 3));
  });

  it('keep finished jobs up to their age', async () => {
    const { queues, consumer, advance } = harness;
    const ids = await addEach(queues, QUEUE, {}, {}, {});
    const ending = { ...COMPLETED, keep: { age: 1 } };
    await process(consumer, QUEUE, ending);
    await advance(999);
    await process(consumer, QUEUE, ending);
    expect(await statusOf(queues, QUEUE, ids[0] ?? '')).to.deep.equal(['completed']);
    await advance(1);
    await process(consumer, QUEUE, ending);
    expect(await statusOf(queues, QUEUE, ids[0] ?? '')).to.deep.equal([]);
    expect(await statusOf(queues, QUEUE, ids[1] ?? '')).to.deep.equal(['completed']);
  });

  it('remove the jobs kept before when none are to be kept', async () => {
    const { queues, consumer } = harness;
    const ids = await addEach(queues, QUEUE, {}, {});
    await process(consumer, QUEUE, COMPLETED);
    await process(consumer, QUEUE, { ...COMPLETED, keep: { count: 0 } });
    for (const id of ids) expect(await queues.find(QUEUE, id)).to.equal(undefined);
  });

  describe('let a consumer wait', () => {
    /** Whether the wait has ended, once everything that could end it now has been done. */
    const ended = async (wait: Promise<void>): Promise<boolean> => {
      let over = false;
      void wait.then(() => (over = true));
      await harness.advance(0);
      return over;
    };

    it('while nothing waits, until the next delayed job falls due', async () => {
      const { queues, consumer, advance, now } = harness;
      await addOne(queues, QUEUE, { delay: 100 });
      await consumer.claim(QUEUE, ANY);
      const wait = consumer.waitForJobs(QUEUE, now() + HOUR, NEVER);
      await advance(50);
      await addOne(queues, QUEUE, { delay: 20 });
      expect(await ended(wait)).to.equal(false);
      await advance(19);
      expect(await ended(wait)).to.equal(false);
      await advance(1);
      expect(await ended(wait)).to.equal(true);
    });

    it('while all the places are taken, whatever waits', async () => {
      const { queues, consumer, advance, now } = harness;
      const request = { ...ANY, concurrency: 1 };
      await addEach(queues, QUEUE, {}, {}, { delay: 10 });
      const attempt = await take(consumer, QUEUE, request);
      expect(await consumer.claim(QUEUE, request)).to.deep.equal({ kind: 'idle' });
      const wait = consumer.waitForJobs(QUEUE, now() + HOUR, NEVER);
      await addOne(queues, QUEUE);
      await advance(10);
      expect(await ended(wait)).to.equal(false);
      await consumer.settle(QUEUE, attempt, COMPLETED);
      expect(await ended(wait)).to.equal(true);
    });

    it('while the place that was freed is taken again in the same step', async () => {
      const { queues, consumer, now, replica } = harness;
      const request = { ...ANY, concurrency: 1 };
      const { consumer: other } = await replica();
      await addEach(queues, QUEUE, {}, {});
      const attempt = await take(consumer, QUEUE, request);
      await other.claim(QUEUE, request);
      const wait = other.waitForJobs(QUEUE, now() + HOUR, NEVER);
      await consumer.settle(QUEUE, attempt, COMPLETED, request);
      expect(await ended(wait)).to.equal(false);
    });

    it('each for what it asked for itself', async () => {
      const { queues, consumer, now, replica } = harness;
      const { consumer: other } = await replica();
      await addEach(queues, QUEUE, {}, {}, {});
      const attempt = await take(consumer, QUEUE, { ...ANY, concurrency: 2 });
      await take(consumer, QUEUE, { ...ANY, concurrency: 2 });
      await consumer.claim(QUEUE, { ...ANY, concurrency: 2 });
      await other.claim(QUEUE, { ...ANY, concurrency: 1 });
      const wait = consumer.waitForJobs(QUEUE, now() + HOUR, NEVER);
      const otherWait = other.waitForJobs(QUEUE, now() + HOUR, NEVER);
      await other.settle(QUEUE, attempt, COMPLETED);
      expect(await ended(wait)).to.equal(true);
      expect(await ended(otherWait)).to.equal(false);
    });

    it('for what it asked last, when it settled an attempt too', async () => {
      const { queues, consumer, now } = harness;
      await addEach(queues, QUEUE, {}, {}, {});
      const attempt = await take(consumer, QUEUE, { ...ANY, concurrency: 2 });
      const request = { ...ANY, concurrency: 1 };
      await consumer.settle(QUEUE, attempt, COMPLETED, request);
      const wait = consumer.waitForJobs(QUEUE, now() + HOUR, NEVER);
      expect(await ended(wait)).to.equal(false);
    });

    it('while the limiter allows no attempt', async () => {
      const { queues, consumer, advance, now } = harness;
      const request = { ...ANY, limiter: { max: 1, duration: 100 } };
      await addEach(queues, QUEUE, {}, {});
      await take(consumer, QUEUE, request);
      expect((await consumer.claim(QUEUE, request)).kind).to.equal('limited');
      const wait = consumer.waitForJobs(QUEUE, now() + HOUR, NEVER);
      await advance(104);
      expect(await ended(wait)).to.equal(false);
      await advance(1);
      expect(await ended(wait)).to.equal(true);
    });

    it('and leave nothing behind when the wait is over', async () => {
      const { queues, consumer, clock, now } = harness;
      const controller = new AbortController();
      const { signal } = controller;
      await consumer.claim(QUEUE, ANY);
      const aborted = consumer.waitForJobs(QUEUE, Infinity, signal);
      const woken = consumer.waitForJobs(QUEUE, now() + HOUR, NEVER);
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
