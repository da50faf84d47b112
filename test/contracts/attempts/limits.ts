import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  HOUR,
  jobOf,
  retryAfter,
  take,
  takeAll,
  uniqueQueue,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

/** Milliseconds; long enough for a machine that stands still for a while within a test. */
const WINDOW = 5000;
/** As long as it is in truth. */
const STRETCHED = WINDOW + 50;
const TWO_A_WINDOW = { ...ANY, limiter: { max: 2, duration: WINDOW } };

export function describeLimits(harness: () => QueueHarness, store: string): void {
  describe('concurrency', () => {
    // holds: replicas.concurrency
    it('bounds the attempts of all replicas together', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const request = { ...ANY, concurrency: 2 };
      await addEach(queues, queue, {}, {}, {}, {});
      const first = await take(attempts, queue, request);
      await take(replica.attempts, queue, request);
      for (const each of [attempts, replica.attempts]) {
        expect((await each.claim(queue, claimOf(request))).kind).to.equal('idle');
      }
      await attempts.settle(queue, first, COMPLETED);
      await take(replica.attempts, queue, request);
      expect((await attempts.claim(queue, claimOf(request))).kind).to.equal('idle');
      expect(await countsOf(queues, queue)).to.include({ active: 2, waiting: 1 });
    });

    it('holds for claims at the same time', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await queues.add(
        queue,
        Array.from({ length: 30 }, () => jobOf()),
      );
      const request = { ...ANY, concurrency: 5 };
      const claims = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          (index % 2 === 0 ? attempts : replica.attempts).claim(queue, claimOf(request)),
        ),
      );
      expect(claims.filter(({ kind }) => kind === 'attempt')).to.have.lengthOf(5);
    });

    // holds: options.delayed-late
    it('holds for due jobs too', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, { delay: 10 });
      await take(attempts, queue, { ...ANY, concurrency: 1 });
      await advance(20);
      expect((await attempts.claim(queue, claimOf({ ...ANY, concurrency: 1 }))).kind).to.equal(
        'idle',
      );
    });

    it('frees the place of an attempt that was retried or released', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const request = { ...ANY, concurrency: 1 };
      await addOne(queues, queue);
      await attempts.settle(queue, await take(attempts, queue, request), retryAfter(0));
      await attempts.release(queue, await take(attempts, queue, request));
      await take(attempts, queue, request);
    });

    it('may differ from claim to claim', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {}, {});
      expect(await takeAll(attempts, queue, { ...ANY, concurrency: 1 })).to.have.lengthOf(1);
      expect(await takeAll(attempts, queue, { ...ANY, concurrency: 3 })).to.have.lengthOf(2);
      expect(await takeAll(attempts, queue, { ...ANY, concurrency: 2 })).to.have.lengthOf(0);
    });
  });

  describe('limiter', () => {
    // holds: limits.limiter, replicas.limiter
    it('allows so many attempts a window, over all replicas together', async () => {
      const { queues, attempts, now, advance } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await addEach(queues, queue, {}, {}, {}, {}, {});
      for (let window = 0; window < 2; window += 1) {
        await take(attempts, queue, TWO_A_WINDOW);
        await take(replica.attempts, queue, TWO_A_WINDOW);
        for (const each of [attempts, replica.attempts]) {
          const claim = await each.claim(queue, claimOf(TWO_A_WINDOW));
          if (claim.kind !== 'limited') throw new Error(`Not limited: ${claim.kind}`);
          expect(claim.until)
            .to.be.above(now())
            .and.at.most(now() + STRETCHED);
        }
        await advance(STRETCHED + 10);
      }
      await take(attempts, queue, TWO_A_WINDOW);
    });

    // holds: bounds.limiter-window
    it('holds in any window, wherever it begins', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await addEach(queues, queue, {}, {}, {}, {}, {});
      await take(attempts, queue, TWO_A_WINDOW);
      await advance(WINDOW - 1000);
      await take(replica.attempts, queue, TWO_A_WINDOW);
      await advance(1100);
      await take(attempts, queue, TWO_A_WINDOW);
      for (const each of [attempts, replica.attempts]) {
        expect((await each.claim(queue, claimOf(TWO_A_WINDOW))).kind).to.equal('limited');
      }
      await advance(STRETCHED - 1100);
      await take(replica.attempts, queue, TWO_A_WINDOW);
      expect((await attempts.claim(queue, claimOf(TWO_A_WINDOW))).kind).to.equal('limited');
    });

    it('returns when the next one may start', async () => {
      const { queues, attempts, now, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const before = now();
      await take(attempts, queue, TWO_A_WINDOW);
      await advance(1000);
      await take(attempts, queue, TWO_A_WINDOW);
      await advance(500);
      const claim = await attempts.claim(queue, claimOf(TWO_A_WINDOW));
      if (claim.kind !== 'limited') throw new Error(`Not limited: ${claim.kind}`);
      expect(claim.until)
        .to.be.above(now())
        .and.at.most(before + STRETCHED);
      await advance(claim.until - now());
      await take(attempts, queue, TWO_A_WINDOW);
    });

    if (isVolumePlayedOn(store)) {
      // holds: bounds.limiter-window
      it('holds at random times, over replicas', async () => {
        const { queues, attempts, now, advance } = harness();
        const queue = uniqueQueue();
        const replica = await harness().replica();
        const limiter = { max: 3, duration: 1000 };
        await queues.add(
          queue,
          Array.from({ length: 60 }, () => jobOf()),
        );
        // A store may measure by its own clock, which goes on while this one stands still.
        const time = (): number => now() + performance.now();
        const starts: number[] = [];
        for (let turn = 0; turn < 80; turn += 1) {
          const { attempts: one } = turn % 2 === 0 ? { attempts } : replica;
          const claim = await one.claim(queue, claimOf({ ...ANY, limiter }));
          if (claim.kind === 'attempt') starts.push(time());
          else await advance(Math.ceil(Math.random() * 400));
        }
        expect(starts.length).to.be.above(20);
        for (const [index, start] of starts.entries()) {
          const fourth = starts[index + 3] ?? Infinity;
          expect(fourth - start).to.be.at.least(1000);
        }
      });
    }

    it('applies before the pause of the queue and its concurrency', async () => {
      const { queues, attempts, queueControl } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      for (let n = 0; n < 2; n += 1) await take(attempts, queue, TWO_A_WINDOW);
      const full = { ...TWO_A_WINDOW, concurrency: 2 };
      expect((await attempts.claim(queue, claimOf(full))).kind).to.equal('limited');
      await queueControl.pause(queue);
      expect((await attempts.claim(queue, claimOf(TWO_A_WINDOW))).kind).to.equal('limited');
    });

    it('counts a job that was released', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      await attempts.release(queue, await take(attempts, queue, TWO_A_WINDOW));
      await take(attempts, queue, TWO_A_WINDOW);
      expect((await attempts.claim(queue, claimOf(TWO_A_WINDOW))).kind).to.equal('limited');
    });

    it('counts what started under other settings', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const limited = (max: number, duration: number) => ({ ...ANY, limiter: { max, duration } });
      await addEach(queues, queue, {}, {}, {}, {}, {}, {}, {});
      for (let turn = 0; turn < 3; turn += 1) await take(attempts, queue, limited(3, WINDOW));
      expect((await attempts.claim(queue, claimOf(limited(3, WINDOW)))).kind).to.equal('limited');
      expect((await attempts.claim(queue, claimOf(limited(2, WINDOW)))).kind).to.equal('limited');
      await take(attempts, queue, limited(4, WINDOW));
      expect((await attempts.claim(queue, claimOf(limited(4, WINDOW)))).kind).to.equal('limited');
      await advance(1100);
      await take(attempts, queue, limited(1, 1000));
      expect((await attempts.claim(queue, claimOf(limited(1, 1000)))).kind).to.equal('limited');
      await advance(1100);
      await take(attempts, queue, limited(1, 1000));
    });

    it('does not wait for the end of a longer window than the one of now', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const hourly = { ...ANY, limiter: { max: 1, duration: HOUR } };
      await take(attempts, queue, hourly);
      expect((await attempts.claim(queue, claimOf(hourly))).kind).to.equal('limited');
      const often = { ...ANY, limiter: { max: 1, duration: 100 } };
      await advance(110);
      await take(attempts, queue, often);
    });

    it('counts attempts that have ended, and those that settling starts', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const first = await take(attempts, queue, TWO_A_WINDOW);
      const { next } = await attempts.settle(queue, first, COMPLETED, claimOf(TWO_A_WINDOW));
      if (next?.kind !== 'attempt') throw new Error('The next job was not taken');
      const settled = await attempts.settle(queue, next.attempt, COMPLETED, claimOf(TWO_A_WINDOW));
      expect(settled.held).to.equal(true);
      const claim = settled.next ?? (await attempts.claim(queue, claimOf(TWO_A_WINDOW)));
      expect(claim.kind).to.equal('limited');
      expect(await countsOf(queues, queue)).to.include({ completed: 2, waiting: 1 });
    });

    it('does not count claims that found no job', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      for (let turn = 0; turn < 3; turn += 1) {
        expect((await attempts.claim(queue, claimOf(TWO_A_WINDOW))).kind).to.equal('idle');
      }
      await addEach(queues, queue, {}, {});
      await take(attempts, queue, TWO_A_WINDOW);
      await take(attempts, queue, TWO_A_WINDOW);
    });

    it('holds for due and prioritized jobs too', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, { delay: 10 }, { priority: 1 });
      await take(attempts, queue, TWO_A_WINDOW);
      await take(attempts, queue, TWO_A_WINDOW);
      await advance(20);
      expect((await attempts.claim(queue, claimOf(TWO_A_WINDOW))).kind).to.equal('limited');
      expect(await countsOf(queues, queue)).to.include({ active: 2, delayed: 1, prioritized: 1 });
    });

    it('limits each queue by itself', async () => {
      const { queues, attempts } = harness();
      const [queue, other] = [uniqueQueue(), uniqueQueue()];
      await addEach(queues, queue, {}, {}, {});
      await addOne(queues, other);
      await take(attempts, queue, TWO_A_WINDOW);
      await take(attempts, queue, TWO_A_WINDOW);
      await take(attempts, other, TWO_A_WINDOW);
    });
  });
}
