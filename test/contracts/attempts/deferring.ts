import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { AttemptEnginePort } from '../../../src/application/ports/attempt-engine-port.ts';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import type { DeferralScope } from '../../../src/domain/calls/backpressure.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  HOUR,
  pick,
  process,
  read,
  statusOf,
  take,
  takeAll,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

const NEVER = new AbortController().signal;
const CALL = { outcome: 'deferred', status: 429, response: 'not now' } as const;

export function describeDeferring(harness: () => QueueHarness): void {
  const deferral = (wait: number, scope: DeferralScope = 'queue'): AttemptEnding => ({
    kind: 'deferred',
    reason: 'not now',
    scope,
    until: harness().now() + wait,
    call: CALL,
  });

  const isLimited = ({ kind }: Claim): boolean => kind === 'limited';

  /** Adds jobs and starts all of them. */
  const started = async (
    queue: QueueName,
    ...options: readonly JobOptionsInput[]
  ): Promise<Attempt[]> => {
    await addEach(harness().queues, queue, ...options);
    return takeAll(harness().attempts, queue);
  };

  /** Defers attempts in the order of their positions. */
  const deferEach = async (
    attempts: AttemptEnginePort,
    queue: QueueName,
    taken: readonly Attempt[],
    wait: number,
    ...positions: readonly number[]
  ): Promise<void> => {
    for (const position of positions) {
      const attempt = taken[position];
      if (attempt === undefined) throw new Error(`There is no attempt ${position}`);
      const { held } = await attempts.settle(queue, attempt, deferral(wait));
      expect(held).to.equal(true);
    }
  };

  const idsOf = (taken: readonly Attempt[]): string[] => taken.map(({ jobId }) => jobId);

  describe('deferring', () => {
    // holds: hold.holder
    it('says who asked for the end of the hold in force', async () => {
      const { attempts, queueControl, queueDirectory } = harness();
      const queue = uniqueQueue();
      const taken = await started(queue, {}, {});
      const holder = async () => {
        const [glance] = await queueDirectory.glances([queue]);
        return glance?.hold?.by;
      };
      await deferEach(attempts, queue, taken, 60_000, 0);
      expect(await holder()).to.equal('endpoint');
      await queueControl.hold(queue, 1000);
      expect(await holder()).to.equal('endpoint');
      const until = await queueControl.hold(queue, HOUR);
      expect(await holder()).to.equal('caller');
      await deferEach(attempts, queue, taken, 60_000, 1);
      const [glance] = await queueDirectory.glances([queue]);
      expect(glance?.hold).to.include({ until, by: 'caller' });
      await queueControl.endHold(queue);
      expect(await holder()).to.equal(undefined);
      await deferEach(attempts, queue, [await take(attempts, queue)], 1000, 0);
      expect(await holder()).to.equal('endpoint');
    });

    // holds: defer.queue, defer.no-attempt, hold.queue
    it('puts the job back as it was, and no job of the queue starts until then, on no replica', async () => {
      const { queues, attempts, advance } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {});
      const attempt = await take(attempts, queue);
      const settled = await attempts.settle(queue, attempt, deferral(60_000));
      expect(settled).to.deep.equal({ held: true, beginsHold: true });
      for (const replica of [attempts, other.attempts]) {
        expect(isLimited(await replica.claim(queue, claimOf(ANY)))).to.equal(true);
      }
      const job = await read(queues, queue, attempt.jobId);
      expect(job).to.include({ state: 'waiting', attemptsMade: 0, attemptsStarted: 1, delay: 0 });
      expect(job).not.to.have.property('failedReason');
      expect(job.stacktrace).to.equal(null);
      await advance(60_000);
      const again = await takeAll(other.attempts, queue);
      expect(idsOf(again)).to.deep.equal(ids);
      expect(again.map(({ deferrals }) => deferrals)).to.deep.equal([1, undefined]);
    });

    // holds: defer.order
    it('keeps the order in which jobs started, whichever goes back first', async () => {
      const { attempts, queues, advance } = harness();
      const queue = uniqueQueue();
      const taken = await started(queue, {}, {}, {}, {}, {});
      const { id: later } = await addOne(queues, queue);
      await deferEach(attempts, queue, taken, 60_000, 3, 0, 4, 2, 1);
      await advance(60_000);
      expect(await takenIds(attempts, queue)).to.deep.equal([...idsOf(taken), later]);
    });

    // holds: defer.order
    it('keeps the order among those of a priority, each of which stays where it belongs', async () => {
      const { attempts, queues, advance } = harness();
      const queue = uniqueQueue();
      const options = [5, 0, 2_097_152, 5, 1, 2_097_152, 5].map((priority) => ({ priority }));
      const taken = await started(queue, ...options);
      const added = await addEach(queues, queue, ...options, { lifo: true });
      await deferEach(attempts, queue, taken, 60_000, 4, 1, 6, 3, 0, 5, 2);
      await advance(60_000);
      const expected = [
        ...[taken[0]?.jobId, ...pick(added, 7, 1)],
        ...[taken[1]?.jobId, ...pick(added, 4)],
        ...[...idsOf(taken.slice(2, 5)), ...pick(added, 0, 3, 6)],
        ...[...idsOf(taken.slice(5)), ...pick(added, 2, 5)],
      ];
      expect(await takenIds(attempts, queue)).to.deep.equal(expected);
    });

    // holds: defer.order
    it('keeps the order over one hold after another', async () => {
      const { attempts, advance } = harness();
      const queue = uniqueQueue();
      const taken = await started(queue, {}, {}, { priority: 3 }, { priority: 3 }, { priority: 3 });
      const ids = idsOf(taken);
      await deferEach(attempts, queue, taken, 60_000, 4, 1, 3, 0, 2);
      for (const running of [3, 4, 1, 5]) {
        await advance(60_000);
        const again: Attempt[] = [];
        while (again.length < running) again.push(await take(attempts, queue));
        expect(idsOf(again)).to.deep.equal(ids.slice(0, running));
        await deferEach(attempts, queue, again, 60_000, ...[...again.keys()].reverse());
      }
      await advance(60_000);
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    // holds: hold.latest
    it('holds until the latest end of several', async () => {
      const { attempts, advance } = harness();
      const queue = uniqueQueue();
      const taken = await started(queue, {}, {}, {});
      await deferEach(attempts, queue, taken, 90_000, 0);
      await deferEach(attempts, queue, taken, 30_000, 1);
      await advance(60_000);
      await deferEach(attempts, queue, taken, 10_000, 2);
      expect(isLimited(await attempts.claim(queue, claimOf(ANY)))).to.equal(true);
      await advance(30_000);
      expect(await takenIds(attempts, queue)).to.deep.equal(idsOf(taken));
    });

    // holds: defer.at-once
    it('goes back at once when nothing is to wait', async () => {
      const { attempts, queues } = harness();
      for (const scope of ['queue', 'job'] as const) {
        const queue = uniqueQueue();
        const [first, second] = await addEach(queues, queue, {}, {});
        const attempt = await take(attempts, queue);
        for (const wait of [0, -50]) {
          const running = wait === 0 ? attempt : await take(attempts, queue);
          const settled = await attempts.settle(queue, running, deferral(wait, scope));
          expect(settled).to.deep.equal({ held: true, beginsHold: false });
        }
        expect(await takenIds(attempts, queue)).to.deep.equal([first, second]);
      }
    });

    // holds: defer.order, defer.at-once
    it('keeps the order of several that go back at once, or are released, before one starts', async () => {
      const { attempts } = harness();
      const queue = uniqueQueue();
      const options = [0, 0, 5, 0, 5, 0, 5].map((priority) => ({ priority }));
      let taken = await started(queue, ...options);
      const ids = idsOf(taken);
      for (let turn = 0; turn < 2; turn += 1) {
        const back = [3, 0, 6, 4, 1, 5, 2].map((position) => taken[position]!);
        for (const [index, attempt] of back.entries()) {
          if (index % 3 === 0) await attempts.release(queue, attempt);
          else if (index % 3 === 1) await attempts.reportRelease(queue, attempt, 0);
          else await attempts.settle(queue, attempt, deferral(0));
        }
        taken = await takeAll(attempts, queue);
        expect(idsOf(taken)).to.deep.equal(ids);
      }
    });

    // holds: defer.job
    it('delays one job alone on request', async () => {
      const { attempts, queues, advance } = harness();
      const queue = uniqueQueue();
      const [first, second, third] = await addEach(queues, queue, {}, {}, {});
      const ending = deferral(60_000, 'job');
      const settled = await attempts.settle(queue, await take(attempts, queue), ending);
      expect(settled).to.deep.equal({ held: true, beginsHold: false });
      expect(await statusOf(queues, queue, first ?? '')).to.deep.equal(['delayed']);
      expect(await process(attempts, queue, COMPLETED)).to.equal(second);
      await advance(60_000);
      expect(await takenIds(attempts, queue)).to.deep.equal([first, third]);
    });

    // holds: defer.end, hold.end
    it('goes on when the hold is ended', async () => {
      const { attempts, queueControl } = harness();
      const queue = uniqueQueue();
      const taken = await started(queue, {}, {});
      await deferEach(attempts, queue, taken, HOUR, 1, 0);
      await queueControl.endHold(queue);
      expect(await takenIds(attempts, queue)).to.deep.equal(idsOf(taken));
    });

    it('wakes clients that wait for jobs when one went back', async () => {
      const { attempts, now } = harness();
      for (const ending of [deferral(HOUR), deferral(0)]) {
        const queue = uniqueQueue();
        const [attempt] = await started(queue, {});
        if (attempt === undefined) throw new Error('No job was taken');
        await attempts.waitForJobs(queue, now(), NEVER);
        const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
        await attempts.settle(queue, attempt, ending);
        await waiting;
      }
    });

    it('is done by who holds the job, once', async () => {
      const { attempts, queues, queueControl, queueDirectory } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      const other = { ...attempt, token: claimOf(ANY).token };
      const lost = await attempts.settle(queue, other, deferral(HOUR));
      expect(lost).to.deep.equal({ held: false });
      const [glance] = await queueDirectory.glances([queue]);
      expect(glance).not.to.have.property('hold');
      await attempts.settle(queue, attempt, deferral(HOUR));
      expect(await attempts.settle(queue, attempt, FAILED)).to.deep.equal({ held: false });
      expect(await attempts.renew(queue, [attempt], HOUR)).to.deep.equal([attempt]);
      await queueControl.endHold(queue);
      expect(await countsOf(queues, queue)).to.include({ waiting: 1, active: 0, failed: 0 });
    });

    // holds: defer.count
    it('counts until the job is retried by hand, over all replicas', async () => {
      const { attempts, queues, jobControl } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      for (const count of [undefined, 1, 2]) {
        const attempt = await take(attempts, queue);
        expect(attempt.deferrals).to.equal(count);
        await other.attempts.settle(queue, attempt, deferral(0));
      }
      const attempt = await take(attempts, queue);
      expect(attempt.deferrals).to.equal(3);
      await attempts.settle(queue, attempt, FAILED);
      await jobControl.retry(queue, id, {});
      expect((await take(attempts, queue)).deferrals).to.equal(undefined);
    });

    // holds: defer.record
    it('is on record under the number of the attempt that it puts off, and does not count', async () => {
      const { attempts, queues, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const call = { outcome: 'failed', status: 500, response: 'it broke' } as const;
      const retry = { kind: 'retry', reason: 'it broke', delay: 0, call } as const;
      for (const ending of [deferral(0), deferral(0), retry, deferral(0)]) {
        const attempt = await take(attempts, queue);
        await advance(5);
        await attempts.settle(queue, attempt, ending);
      }
      const recorded = async () => {
        const { count, attempts: all } = (await queues.attempts(queue, id)) ?? { attempts: [] };
        return [count, ...all.map(({ number, outcome }) => `${number} ${outcome}`)];
      };
      const before = ['1 deferred', '1 deferred', '1 failed', '2 deferred'];
      expect(await recorded()).to.deep.equal([1, ...before]);
      const made = (await queues.attempts(queue, id))?.attempts.at(-1);
      expect(made).to.include({ status: 429, reason: 'not now', response: 'not now' });
      const attempt = await take(attempts, queue);
      const completed = { ...COMPLETED, call: { ...call, outcome: 'completed' } } as const;
      await attempts.settle(queue, attempt, completed);
      expect(await recorded()).to.deep.equal([2, ...before, '2 completed']);
    });

    // holds: defer.ttl
    it('lets a job expire no more whose first attempt had started in time', async () => {
      const { attempts, queues, expiry, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { ttl: 1000 });
      await attempts.settle(queue, await take(attempts, queue), deferral(60_000));
      await advance(60_000);
      await expiry.expireDue();
      expect(await takenIds(attempts, queue)).to.deep.equal([id]);
    });
  });
}
