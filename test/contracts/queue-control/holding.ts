import { expect } from 'chai';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  HOUR,
  process,
  retryAfter,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

const NEVER = new AbortController().signal;

export function describeHolding(harness: () => QueueHarness): void {
  const holdOf = async (queue: QueueName, { queueDirectory }: QueueReplica = harness()) => {
    const [glance] = await queueDirectory.glances([queue]);
    return glance?.hold;
  };

  const heldUntil = async (queue: QueueName, replica: QueueReplica = harness()) => {
    const hold = await holdOf(queue, replica);
    return hold?.until;
  };

  /** Fails the test unless the claim may be repeated within so many ms. */
  const expectLimited = (claim: Claim | undefined, most: number): void => {
    if (claim?.kind !== 'limited') throw new Error(`Not limited: ${JSON.stringify(claim)}`);
    // The store uses a clock of its own, and returns whole milliseconds.
    expect(claim.until - harness().now())
      .to.be.greaterThan(0)
      .and.at.most(most + 1);
  };

  describe('a held queue', () => {
    // holds: hold.queue, hold.read
    it('gives no job away until then, whatever is claimed, on all replicas', async () => {
      const { queues, queueControl, attempts, advance } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, { priority: 3 });
      const until = await queueControl.hold(queue, 60_000);
      for (const replica of [harness(), other]) {
        expect(await heldUntil(queue, replica)).to.equal(until);
        expectLimited(await replica.attempts.claim(queue, claimOf(ANY)), 60_000);
        const limited = claimOf({ ...ANY, limiter: { max: 5, duration: HOUR } });
        expectLimited(await replica.attempts.claim(queue, limited), 60_000);
      }
      expect(await countsOf(queues, queue)).to.include({ waiting: 1, prioritized: 1, active: 0 });
      await advance(60_000);
      expect(await heldUntil(queue)).to.equal(undefined);
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    it('returns since when it is held, however often that is prolonged', async () => {
      const { queueControl, advance } = harness();
      const queue = uniqueQueue();
      const until = await queueControl.hold(queue, 60_000);
      const first = (await holdOf(queue))!;
      expect(first).to.deep.equal({ since: until - 60_000, until, by: 'caller' });
      const later = await queueControl.hold(queue, HOUR);
      expect(await holdOf(queue)).to.deep.equal({ ...first, until: later });
      await advance(HOUR);
      const next = await queueControl.hold(queue, 60_000);
      expect(await holdOf(queue)).to.deep.equal({
        since: next - 60_000,
        until: next,
        by: 'caller',
      });
    });

    // holds: hold.running
    it('lets attempts that run go on, and gives no job to who ends one', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const taken = [await take(attempts, queue), await take(attempts, queue)];
      await queueControl.hold(queue, 60_000);
      for (const [index, ending] of [COMPLETED, retryAfter(50)].entries()) {
        const attempt = taken[index];
        if (attempt === undefined) throw new Error('Too few jobs');
        const { held, next } = await attempts.settle(queue, attempt, ending, claimOf(ANY));
        expect(held).to.equal(true);
        if (next !== undefined) expectLimited(next, 60_000);
      }
      expect(await countsOf(queues, queue)).to.include({ waiting: 1, delayed: 1, active: 0 });
    });

    // holds: hold.latest
    it('is held until the latest end of several holds', async () => {
      const { queues, queueControl, attempts, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const until = await queueControl.hold(queue, 60_000);
      expect(await queueControl.hold(queue, 1000)).to.equal(until);
      expect(await heldUntil(queue)).to.equal(until);
      expect(await queueControl.hold(queue, 90_000)).to.be.greaterThan(until);
      await advance(60_000);
      expectLimited(await attempts.claim(queue, claimOf(ANY)), 30_000);
      await advance(30_000);
      expect(await takenIds(attempts, queue)).to.deep.equal([id]);
      await queueControl.hold(queue, 50);
      expectLimited(await attempts.claim(queue, claimOf(ANY)), 50);
    });

    // holds: hold.end
    it('goes on when the hold is ended, again and again, by whatever replica', async () => {
      const { queues, queueControl, attempts } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      for (let turn = 0; turn < 2; turn += 1) {
        const { id } = await addOne(queues, queue);
        await queueControl.hold(queue, HOUR);
        expectLimited(await attempts.claim(queue, claimOf(ANY)), HOUR);
        for (let end = 0; end < 2; end += 1) {
          expect(await other.queueControl.endHold(queue)).to.equal(true);
          expect(await heldUntil(queue)).to.equal(undefined);
        }
        expect(await takenIds(attempts, queue)).to.deep.equal([id]);
      }
    });

    // holds: hold.end
    it('ends the wait of an idle replica when the hold is ended', async () => {
      const { queues, queueControl, attempts, now } = harness();
      const queue = uniqueQueue();
      await attempts.claim(queue, claimOf(ANY));
      await queueControl.hold(queue, HOUR);
      await addOne(queues, queue);
      await attempts.waitForJobs(queue, now() + HOUR, NEVER);
      const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
      await queueControl.endHold(queue);
      await waiting;
      await process(attempts, queue, COMPLETED);
    });

    it('gives a job again to who claimed it before and had no answer', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const request = claimOf(ANY);
      await attempts.claim(queue, request);
      await queueControl.hold(queue, HOUR);
      const again = await attempts.claim(queue, { ...request, isRepeated: true });
      expect(again.kind === 'attempt' && again.attempt.jobId).to.equal(id);
    });

    // holds: hold.queue
    it('may be paused besides: each keeps jobs from starting', async () => {
      const { queues, queueControl, attempts, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await queueControl.hold(queue, 60_000);
      await queueControl.pause(queue);
      await queueControl.endHold(queue);
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      await queueControl.hold(queue, 60_000);
      await queueControl.resume(queue);
      expectLimited(await attempts.claim(queue, claimOf(ANY)), 60_000);
      await advance(60_000);
      expect(await takenIds(attempts, queue)).to.deep.equal([id]);
    });

    // holds: hold.create
    it('need not have been there, and is there and listed from then on', async () => {
      const { queueControl, queueDirectory } = harness();
      const queue = uniqueQueue();
      expect(await queueControl.endHold(queue)).to.equal(false);
      const until = await queueControl.hold(queue, HOUR);
      expect(await heldUntil(queue)).to.equal(until);
      expect(await queueDirectory.names()).to.include(queue);
    });

    // holds: hold.removed
    it('is not held any more once it was removed', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      await queueControl.hold(queue, HOUR);
      await queueControl.remove(queue, false);
      expect(await queueControl.endHold(queue)).to.equal(false);
      const { id } = await addOne(queues, queue);
      expect(await heldUntil(queue)).to.equal(undefined);
      await queueControl.hold(queue, 50);
      await queueControl.endHold(queue);
      expect(await takenIds(attempts, queue)).to.deep.equal([id]);
    });

    it('does not hold other queues', async () => {
      const { queues, queueControl, attempts } = harness();
      const [held, free] = [uniqueQueue(), uniqueQueue()];
      await queueControl.hold(held, HOUR);
      const { id } = await addOne(queues, free);
      expect(await takenIds(attempts, free)).to.deep.equal([id]);
    });
  });
}
