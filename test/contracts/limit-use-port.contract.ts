import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { batchIdOf, kinshipOf } from '../../src/domain/attempts/batch.ts';
import type { Claim } from '../../src/domain/attempts/claim.ts';
import type { LimitSettings } from '../../src/domain/limits/limit.ts';
import type { LimitUse } from '../../src/domain/limits/limit-use.ts';
import { LONGEST_REST, PATIENCE, TURNS_LAST } from '../../src/domain/limits/turns.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { RandomTokens } from '../../src/infrastructure/random-tokens.ts';
import { claimCall } from './attempts/batches.ts';
import { describeFlowLimits } from './flow-limits.contract.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import {
  addEach,
  ANY,
  claimOf,
  COMPLETED,
  FAILED,
  findStalled,
  HOUR,
  jobOf,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from './queue-steps.ts';

const tokens = new RandomTokens();

const WINDOW = 5000;
const STRETCHED = WINDOW + 50;

/** What every store promises of the limits that queues share (further contract, section 23). */
export function describeLimitUsePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`LimitUsePort: ${name}`, () => {
    describeFlowLimits(createHarness);

    let harness: QueueHarness;
    let other: QueueReplica;
    let limit: string;
    let queues: readonly [QueueName, QueueName];

    before(async () => {
      harness = await createHarness();
      other = await harness.replica();
    });
    beforeEach(() => {
      limit = `limit-${randomUUID()}`;
      queues = [uniqueQueue('-a'), uniqueQueue('-b')];
    });
    after(() => harness.dispose());

    const settings = (given: LimitSettings): Promise<unknown> =>
      harness.limits.put(limit, () => given);
    const terms = () => ({ ...ANY, limits: [limit] });

    /** As another replica reads it. */
    async function use(queue?: QueueName): Promise<LimitUse> {
      const [found] = await other.limitUse.uses([{ name: limit, queue }]);
      if (found === undefined) throw new Error('There is no such limit');
      return found;
    }

    const running = async (): Promise<number> => (await use()).running;

    async function addBacklogs(count: number): Promise<void> {
      for (const queue of queues) {
        await harness.queues.add(
          queue,
          Array.from({ length: count }, () => jobOf()),
        );
      }
    }

    const claim = (queue: QueueName, replica: QueueReplica = harness): Promise<Claim> =>
      replica.attempts.claim(queue, claimOf(terms()));

    // holds: limits.shared
    it('bounds the calls of all queues and replicas together', async () => {
      await settings({ concurrency: 3 });
      await addBacklogs(3);
      const [one, two] = queues;
      const first = await take(harness.attempts, one, terms());
      await take(other.attempts, one, terms());
      await take(other.attempts, two, terms());
      for (const queue of queues) {
        for (const replica of [harness, other]) {
          const refused = await claim(queue, replica);
          expect(refused.kind).to.equal('idle');
          expect(refused).to.have.property('nextAt');
        }
      }
      expect(await use(one)).to.deep.equal({
        name: limit,
        settings: { concurrency: 3 },
        running: 3,
        queue: { name: one, running: 2 },
        started: 0,
      });
      await harness.attempts.settle(one, first, COMPLETED);
      expect(await running()).to.equal(2);
      await take(harness.attempts, two, terms());
      expect((await use(two)).queue).to.deep.equal({ name: two, running: 2 });
    });

    // holds: limits.shared
    it('holds for claims of several queues at the same time', async () => {
      await settings({ concurrency: 5 });
      await addBacklogs(20);
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          claim(queues[index % 2]!, index % 3 === 0 ? other : harness),
        ),
      );
      expect(claims.filter(({ kind }) => kind === 'attempt')).to.have.lengthOf(5);
      expect(await running()).to.equal(5);
    });

    // holds: limits.shared
    it('bounds the starts of all queues in a window, and starts again after it', async () => {
      await settings({ limiter: { max: 2, duration: WINDOW } });
      await addBacklogs(5);
      await take(harness.attempts, queues[0], terms());
      const attempt = await take(other.attempts, queues[1], terms());
      await harness.attempts.settle(queues[1], attempt, COMPLETED);
      expect(await use()).to.include({ running: 1, started: 2 });
      const { limitedUntil = 0 } = await use();
      expect(limitedUntil).to.be.within(harness.now() + 1, harness.now() + STRETCHED + 1);
      for (const queue of queues) {
        const refused = await claim(queue);
        if (refused.kind !== 'idle') throw new Error(`Not refused: ${refused.kind}`);
        expect(refused.nextAt).to.be.within(harness.now() + 1, harness.now() + LONGEST_REST + 1);
      }
      await harness.advance(STRETCHED + 10);
      expect(await use())
        .to.include({ started: 0 })
        .and.not.have.property('limitedUntil');
      await take(harness.attempts, queues[0], terms());
    });

    // holds: limits.shared
    it('counts a start in each of several limits, and waits for all', async () => {
      const second = `limit-${randomUUID()}`;
      await settings({ concurrency: 5 });
      await harness.limits.put(second, () => ({ concurrency: 1 }));
      await addBacklogs(2);
      const both = { ...ANY, limits: [limit, second] };
      const attempt = await take(harness.attempts, queues[0], both);
      expect((await harness.attempts.claim(queues[1], claimOf(both))).kind).to.equal('idle');
      await take(harness.attempts, queues[1], terms());
      expect(await running()).to.equal(2);
      await harness.attempts.settle(queues[0], attempt, COMPLETED);
      await take(harness.attempts, queues[0], both);
    });

    // holds: limits.ends
    it('has room again however an attempt ends', async () => {
      await settings({ concurrency: 1 });
      const { attempts } = harness;
      const [queue] = queues;
      const ends: readonly ((attempt: Awaited<ReturnType<typeof take>>) => Promise<unknown>)[] = [
        (attempt) => attempts.settle(queue, attempt, COMPLETED),
        (attempt) => attempts.settle(queue, attempt, FAILED),
        (attempt) => attempts.settle(queue, attempt, retryAfter(0)),
        (attempt) => attempts.settle(queue, attempt, retryAfter(HOUR)),
        (attempt) => attempts.release(queue, attempt),
        (attempt) => attempts.release(queue, attempt, true),
        (attempt) => attempts.reportRelease(queue, attempt, HOUR),
        (attempt) => attempts.reportEnding(queue, attempt, COMPLETED),
        async (attempt) => {
          await attempts.accept(queue, attempt, HOUR);
          expect(await running()).to.equal(1);
          await attempts.settle(queue, attempt, COMPLETED);
        },
      ];
      for (const [index, end] of ends.entries()) {
        await addEach(harness.queues, queue, {});
        const attempt = await take(attempts, queue, terms());
        expect(await running(), `before end ${index}`).to.equal(1);
        await end(attempt);
        expect(await running(), `after end ${index}`).to.equal(0);
      }
    });

    // holds: limits.ends
    it('holds the room of a stalled job until its lock is lost, and that of pulled jobs', async () => {
      await settings({ concurrency: 1 });
      await addEach(harness.queues, queues[0], {}, {});
      await addEach(harness.queues, queues[1], {});
      await take(harness.attempts, queues[0], { ...SHORTLY, limits: [limit], isPulled: true });
      await harness.advance(SOON);
      expect((await claim(queues[1])).kind).to.equal('idle');
      expect(await findStalled(harness, queues[0])).to.have.lengthOf(1);
      expect(await running()).to.equal(0);
      await take(harness.attempts, queues[1], terms());
    });

    // holds: limits.ends
    it('holds the room of a cancelled job until its call is over', async () => {
      await settings({ concurrency: 1 });
      await addEach(harness.queues, queues[0], {});
      await addEach(harness.queues, queues[1], {});
      const attempt = await take(harness.attempts, queues[0], terms());
      await harness.jobControl.cancel(queues[0], attempt.jobId, { reason: 'no longer needed' });
      expect(await running()).to.equal(1);
      expect((await claim(queues[1])).kind).to.equal('idle');
      await harness.attempts.endCall(queues[0], attempt);
      expect(await running()).to.equal(0);
      await take(harness.attempts, queues[1], terms());
    });

    // holds: limits.ends
    it('has room again once the lock of a cancelled job is lost whose call nobody ended', async () => {
      await settings({ concurrency: 1 });
      await addBacklogs(1);
      const attempt = await take(harness.attempts, queues[0], { ...SHORTLY, limits: [limit] });
      await harness.jobControl.cancel(queues[0], attempt.jobId, { reason: 'no longer needed' });
      await harness.advance(SOON);
      await other.expiry.expireDue();
      await take(harness.attempts, queues[1], terms());
      expect(await running()).to.equal(1);
    });

    // holds: limits.ends
    it('has room again when a queue is removed', async () => {
      await settings({ concurrency: 1 });
      await addBacklogs(1);
      await take(harness.attempts, queues[0], { ...terms(), isPulled: true });
      await harness.queueControl.remove(queues[0], true);
      expect(await running()).to.equal(0);
      await take(harness.attempts, queues[1], terms());
    });

    // holds: limits.batches
    it('counts a call of a batch once for the concurrency, and its jobs for the limiter', async () => {
      await settings({ concurrency: 1, limiter: { max: 3, duration: WINDOW } });
      await addBacklogs(5);
      const [queue] = queues;
      const id = batchIdOf(tokens.draw());
      const { attempts } = await claimCall(harness.attempts, queue, 2, { terms: terms(), id });
      expect(attempts).to.have.lengthOf(2);
      expect(await use(queue)).to.include({ running: 1, started: 2 });
      const kin = kinshipOf(attempts[0]!);
      const batch = { by: 'queue', kin } as const;
      const more = await claimCall(harness.attempts, queue, 2, { terms: terms(), id, batch });
      expect(more.attempts, 'as many as the limiter allows').to.have.lengthOf(1);
      expect((await claim(queues[1])).kind).to.equal('idle');
      const all = [...attempts, ...more.attempts];
      for (const each of all.slice(1)) await harness.attempts.settle(queue, each, COMPLETED);
      expect(await running()).to.equal(1);
      await harness.attempts.settle(queue, all[0]!, COMPLETED);
      expect(await running()).to.equal(0);
    });

    // holds: limits.changed
    it('is in force as it is stored, for the next start, and earlier starts count on', async () => {
      await settings({ limiter: { max: 1, duration: WINDOW } });
      await addBacklogs(5);
      await take(harness.attempts, queues[0], terms());
      expect((await claim(queues[1])).kind).to.equal('idle');
      await settings({ concurrency: 3, limiter: { max: 2, duration: WINDOW } });
      await harness.advance(PATIENCE + 10);
      await take(other.attempts, queues[1], terms());
      expect(await use()).to.include({ running: 2, started: 2 });
      expect((await claim(queues[0])).kind).to.equal('idle');
      await settings({ concurrency: 2 });
      expect((await claim(queues[0])).kind).to.equal('idle');
      await harness.limits.remove(limit);
      await take(harness.attempts, queues[0], terms());
      expect(await other.limitUse.uses([{ name: limit }])).to.deep.equal([undefined]);
    });

    // holds: limits.costs
    it('counts what a start costs, and what its end says that it cost', async () => {
      await settings({ limiter: { max: 10, duration: WINDOW } });
      const [queue] = queues;
      await addEach(harness.queues, queue, { cost: 4 }, { cost: 7 }, {});
      const attempt = await take(harness.attempts, queue, terms());
      expect(await use(queue)).to.include({ started: 4 });
      expect((await use(queue)).limitedUntil).to.be.above(harness.now());
      expect((await claim(queue)).kind, 'the head waits').to.equal('idle');
      const call = { outcome: 'completed', cost: 2 } as const;
      await harness.attempts.settle(queue, attempt, { ...COMPLETED, call });
      expect(await use(queue)).to.include({ started: 2 });
      await harness.advance(PATIENCE + 10);
      await take(harness.attempts, queue, terms());
      expect(await use(queue)).to.include({ started: 9 });
      await harness.attempts.release(queue, await take(harness.attempts, queue, terms()), true);
      expect(await use(queue)).to.include({ started: 9 });
    });

    // holds: limits.turns
    it('lets queues with a backlog take turns, whichever ends its calls first', async () => {
      await settings({ concurrency: 2 });
      await addBacklogs(40);
      const held = [await take(harness.attempts, queues[0], terms())];
      const counts = new Map<QueueName, number>();
      await take(harness.attempts, queues[0], terms());
      for (let round = 0; round < 30; round += 1) {
        // Both ask, and the one whose call ended asks first, in the same step.
        const last = held.pop()!;
        const { queue } = last.job;
        const next = claimOf(terms());
        const settled = await harness.attempts.settle(queue, last, COMPLETED, next);
        const claims = [settled.next, await claim(queues[1], other), await claim(queues[0], other)];
        for (const each of claims) {
          if (each?.kind !== 'attempt') continue;
          held.push(each.attempt);
          const of = each.attempt.job.queue;
          counts.set(of, (counts.get(of) ?? 0) + 1);
        }
        expect(await running()).to.equal(2);
      }
      expect(Math.min(...queues.map((queue) => counts.get(queue) ?? 0))).to.be.at.least(10);
    });

    // holds: limits.turns
    it('does not keep room for a queue that waits and does not claim', async () => {
      await settings({ concurrency: 1 });
      await addBacklogs(5);
      let attempt = await take(harness.attempts, queues[0], terms());
      expect((await claim(queues[1])).kind).to.equal('idle');
      // The other one waits; this one may be ahead of it by one start.
      for (let start = 0; start < 2; start += 1) {
        const next = claimOf(terms());
        const settled = await harness.attempts.settle(queues[0], attempt, COMPLETED, next);
        if (settled.next?.kind !== 'attempt') break;
        ({ attempt } = settled.next);
      }
      await harness.advance(PATIENCE + 10);
      await take(harness.attempts, queues[0], terms());
    });

    const wakeUp = (queue: QueueName, longest = HOUR): Promise<void> =>
      other.attempts.waitForJobs(queue, harness.now() + longest, new AbortController().signal);

    /** Takes the marks of the adds. */
    async function forgetAdds(queue: QueueName): Promise<void> {
      const used = wakeUp(queue, 20);
      await harness.advance(20);
      await used;
    }

    /** Has the queue wait at the limit. @returns what resolves once it is woken. */
    async function waits(queue: QueueName): Promise<{ readonly woken: Promise<void> }> {
      expect((await claim(queue, other)).kind).to.equal('idle');
      return { woken: wakeUp(queue) };
    }

    /** The queue waits at the limit, is woken by what makes room, and takes a job. */
    async function takesOnceWoken(
      queue: QueueName,
      makeRoom: () => Promise<unknown>,
    ): Promise<void> {
      const { woken } = await waits(queue);
      await makeRoom();
      // A replica that follows a log has it by then.
      await use();
      await woken;
      await take(other.attempts, queue, terms());
    }

    // holds: limits.turns
    it('wakes the queue that waits within a moment of room', async () => {
      await settings({ concurrency: 1 });
      await addBacklogs(2);
      const [one, two] = queues;
      const attempt = await take(harness.attempts, one, terms());
      await waits(two);
      await forgetAdds(two);
      await takesOnceWoken(two, () => harness.attempts.settle(one, attempt, COMPLETED));
    });

    // holds: limits.turns
    it('wakes the next queue, too, should the first not be there any more', async () => {
      await settings({ concurrency: 1 });
      const gone = uniqueQueue('-0');
      await addBacklogs(2);
      await addEach(harness.queues, gone, {});
      const [one, two] = queues;
      const attempt = await take(harness.attempts, one, terms());
      expect((await claim(gone)).kind).to.equal('idle');
      await waits(two);
      await forgetAdds(two);
      await takesOnceWoken(two, () => harness.attempts.settle(one, attempt, COMPLETED));
    });

    // holds: limits.costs, limits.turns
    it('wakes the queue that waits once a start counts less than it did', async () => {
      await settings({ limiter: { max: 10, duration: WINDOW } });
      const [one, two] = queues;
      await addEach(harness.queues, one, { cost: 10 });
      await addEach(harness.queues, two, {});
      await forgetAdds(two);
      const attempt = await take(harness.attempts, one, terms());
      const call = { outcome: 'completed', cost: 2 } as const;
      await takesOnceWoken(two, () =>
        harness.attempts.settle(one, attempt, { ...COMPLETED, call }),
      );
    });

    // holds: limits.reads
    it('tells which queues use it, and which wait', async () => {
      await settings({ concurrency: 1 });
      await addBacklogs(1);
      expect(await other.limitUse.queuesAt(limit)).to.deep.equal([]);
      await take(harness.attempts, queues[1], terms());
      await claim(queues[0]);
      expect(await other.limitUse.queuesAt(limit)).to.deep.equal(
        [
          { queue: queues[0], running: 0, waits: true },
          { queue: queues[1], running: 1, waits: false },
        ].sort((a, b) => (a.queue < b.queue ? -1 : 1)),
      );
    });

    // holds: limits.turns
    it('forgets turns once no queue waits', async () => {
      await settings({ concurrency: 1 });
      await addBacklogs(3);
      const attempt = await take(harness.attempts, queues[0], terms());
      await claim(queues[1]);
      await harness.attempts.settle(queues[0], attempt, COMPLETED);
      const second = await take(harness.attempts, queues[1], terms());
      await harness.attempts.settle(queues[1], second, COMPLETED);
      await harness.advance(TURNS_LAST + 10);
      for (let start = 0; start < 3; start += 1) {
        const each = await harness.attempts.claim(queues[0], claimOf(terms()));
        if (each.kind !== 'attempt') break;
        await harness.attempts.settle(queues[0], each.attempt, COMPLETED);
      }
      expect(await other.limitUse.queuesAt(limit)).to.deep.equal([]);
    });
  });
}
