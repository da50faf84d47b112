import { expect } from 'chai';
import { REPORT_MEMORY } from '../../../src/domain/attempts/attempt-report.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { AttemptKey } from '../../../src/domain/attempts/attempt.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { Retention } from '../../../src/domain/jobs/job-retention.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  FAILED,
  findStalled,
  HOUR,
  listed,
  pick,
  read,
  retryAfter,
  SHORTLY,
  SOON,
  statusOf,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

const DEDUPLICATED: JobOptionsInput = { deduplication: { id: 'one' } };

export function describeReporting(harness: () => QueueHarness): void {
  const ENDINGS: readonly (readonly [string, AttemptEnding, string, JobOptionsInput?])[] = [
    ['completed', COMPLETED, 'completed'],
    ['completed, by the library', COMPLETED, 'completed', DEDUPLICATED],
    ['failed', FAILED, 'failed'],
    ['failed, to be tried at once', retryAfter(0), 'waiting'],
    ['failed, to be tried later', retryAfter(HOUR), 'delayed'],
  ];

  describe('a report', () => {
    for (const [kind, ending, status, opts = {}] of ENDINGS) {
      // holds: reports.repeated, reports.dead-token
      it(`ends an attempt on any replica, and may be repeated for a minute: ${kind}`, async () => {
        const { queues, attempts, advance } = harness();
        const { attempts: others } = await harness().replica();
        const queue = uniqueQueue();
        const { id } = await addOne(queues, queue, opts);
        const attempt = await take(attempts, queue);
        expect(await attempts.wasReported(queue, attempt)).to.equal(false);
        expect(await others.reportEnding(queue, attempt, ending)).to.equal('recorded');
        expect(await statusOf(queues, queue, id)).to.deep.equal([status]);
        const repeat = ending.kind === 'completed' ? { ...ending, returnvalue: 2 } : FAILED;
        const another = ending.kind === 'completed' ? FAILED : COMPLETED;
        await advance(REPORT_MEMORY - 5000);
        expect(await attempts.reportEnding(queue, attempt, repeat)).to.equal('repeated');
        expect(await attempts.reportEnding(queue, attempt, another)).to.equal('refused');
        expect(await attempts.reportRelease(queue, attempt, 0)).to.equal('refused');
        expect(await attempts.extend(queue, attempt, HOUR)).to.equal(false);
        expect(await attempts.wasReported(queue, attempt)).to.equal(true);
        await advance(5000);
        expect(await attempts.reportEnding(queue, attempt, repeat)).to.equal('refused');
        expect(await attempts.wasReported(queue, attempt)).to.equal(false);
        expect(await statusOf(queues, queue, id)).to.deep.equal([status]);
        expect(await read(queues, queue, id)).to.include({ attemptsMade: 1, returnvalue: null });
      });
    }

    // holds: reports.repeated
    it('may be repeated although its job is gone, and is of no other job', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const [one, other] = [await take(attempts, queue), await take(attempts, queue)];
      const ending = { ...COMPLETED, keep: { count: 0 } };
      expect(await attempts.reportEnding(queue, one, ending)).to.equal('recorded');
      expect(await listed(queues, queue, 'completed')).to.deep.equal([]);
      expect(await attempts.reportEnding(queue, one, ending)).to.equal('repeated');
      const mixed = { jobId: other.jobId, token: one.token };
      expect(await attempts.reportEnding(queue, mixed, ending)).to.equal('refused');
      expect(await attempts.wasReported(queue, mixed)).to.equal(false);
    });

    for (const ending of [COMPLETED, FAILED]) {
      // holds: states.removed, worker-options.count-and-age
      it(`leaves as many jobs as the rule that comes with it, and none that are older: ${ending.kind}`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, {}, {}, {});
        const kept = () => listed(queues, queue, ending.kind);
        const reportNext = async (keep: Retention): Promise<void> => {
          const attempt = await take(attempts, queue);
          const reported = await attempts.reportEnding(queue, attempt, { ...ending, keep });
          expect(reported).to.equal('recorded');
          await advance(2);
        };
        for (let job = 0; job < 3; job += 1) await reportNext({ count: 2 });
        expect(await kept()).to.deep.equal(pick(ids, 2, 1));
        await advance(1100);
        await reportNext({ age: 1 });
        expect(await kept()).to.deep.equal(pick(ids, 3));
      });
    }

    it('is not taken from an attempt that ended otherwise, or never was', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const settled = await take(attempts, queue);
      await attempts.settle(queue, settled, COMPLETED);
      const stalled = await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      await findStalled(harness(), queue);
      const unknown: AttemptKey = { jobId: '99', token: claimOf(ANY).token };
      const guessed: AttemptKey = { jobId: stalled.jobId, token: '0' };
      for (const attempt of [settled, stalled, unknown, guessed]) {
        for (const ending of [COMPLETED, FAILED, retryAfter(5)]) {
          expect(await attempts.reportEnding(queue, attempt, ending)).to.equal('refused');
        }
        expect(await attempts.reportRelease(queue, attempt, 0)).to.equal('refused');
        expect(await attempts.reportRelease(queue, attempt, 5)).to.equal('refused');
        expect(await attempts.extend(queue, attempt, 5)).to.equal(false);
        expect(await attempts.wasReported(queue, attempt)).to.equal(false);
      }
    });

    // holds: reports.one-winner
    it('wins or loses against every other end of the attempt', async () => {
      const { queues, attempts } = harness();
      const { attempts: others } = await harness().replica();
      const queue = uniqueQueue();
      for (let round = 0; round < 20; round += 1) {
        const { id } = await addOne(queues, queue);
        const attempt = await take(attempts, queue);
        const outcomes = await Promise.all([
          attempts.reportEnding(queue, attempt, COMPLETED),
          others.reportEnding(queue, attempt, FAILED),
          others.settle(queue, attempt, COMPLETED).then(({ held }) => (held ? 'recorded' : '')),
        ]);
        expect(outcomes.filter((each) => each === 'recorded')).to.have.lengthOf(1);
        expect(await statusOf(queues, queue, id)).to.have.lengthOf(1);
      }
    });

    it('of many jobs at once ends each of them', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, ...Array.from({ length: 30 }, () => ({})));
      const claims = await Promise.all(
        Array.from({ length: 100 }, () =>
          attempts.claim(queue, claimOf({ ...ANY, isPulled: true })),
        ),
      );
      const taken = claims.flatMap((each) => (each.kind === 'attempt' ? [each.attempt] : []));
      expect(taken.map(({ jobId }) => Number(jobId))).to.deep.equal(
        Array.from({ length: 30 }, (_, index) => index + 1),
      );
      const call = { outcome: 'completed' } as const;
      const outcomes = await Promise.all(
        taken.map((attempt, returnvalue) =>
          attempts.reportEnding(queue, attempt, { kind: 'completed', returnvalue, call }),
        ),
      );
      expect(new Set(outcomes)).to.deep.equal(new Set(['recorded']));
      for (const [index, { jobId }] of taken.entries()) {
        expect(await read(queues, queue, jobId)).to.include({ returnvalue: index });
        expect(await queues.attempts(queue, jobId)).to.have.property('count', 1);
      }
    });
  });

  describe('a reported release', () => {
    // holds: reports.release
    it('puts the job back at the head of its place, without an attempt', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, { priority: 3 }, { priority: 3 });
      const first = await take(attempts, queue);
      expect(await attempts.reportRelease(queue, first, 0)).to.equal('recorded');
      expect(await attempts.wasReported(queue, first)).to.equal(true);
      expect(await read(queues, queue, first.jobId)).to.include({
        state: 'waiting',
        attemptsMade: 0,
      });
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    for (const [delay, state] of [
      [0, 'waiting'],
      [HOUR, 'delayed'],
    ] as const) {
      // holds: reports.repeated, reports.dead-token
      it(`may be repeated for a minute, and changes nothing then: the job is ${state}`, async () => {
        const { queues, attempts, advance } = harness();
        const { attempts: others } = await harness().replica();
        const queue = uniqueQueue();
        const { id } = await addOne(queues, queue);
        const attempt = await take(attempts, queue);
        expect(await attempts.reportRelease(queue, attempt, delay)).to.equal('recorded');
        const again = delay === 0 ? await take(attempts, queue) : undefined;
        const before = await read(queues, queue, id);
        await advance(REPORT_MEMORY - 5000);
        expect(await others.reportRelease(queue, attempt, 0)).to.equal('repeated');
        expect(await others.reportEnding(queue, attempt, COMPLETED)).to.equal('refused');
        expect(await others.reportEnding(queue, attempt, FAILED)).to.equal('refused');
        expect(await others.extend(queue, attempt, HOUR)).to.equal(false);
        expect(await read(queues, queue, id)).to.deep.equal(before);
        if (again !== undefined) {
          expect(await others.renew(queue, [again], HOUR)).to.deep.equal([]);
          expect(await others.reportRelease(queue, again, 0)).to.equal('recorded');
        }
        await advance(5000);
        expect(await others.reportRelease(queue, attempt, 0)).to.equal('refused');
      });
    }

    // holds: reports.release
    it('delays it, and wakes those who wait for its place', async () => {
      const { queues, attempts, advance, now } = harness();
      const queue = uniqueQueue();
      const [first, second] = await addEach(queues, queue, {}, {});
      const oneAtATime = { ...ANY, concurrency: 1 };
      const attempt = await take(attempts, queue, oneAtATime);
      expect((await attempts.claim(queue, claimOf(oneAtATime))).kind).to.equal('idle');
      const waiting = attempts.waitForJobs(queue, now() + HOUR, new AbortController().signal);
      expect(await attempts.reportRelease(queue, attempt, 500)).to.equal('recorded');
      await waiting;
      expect(await read(queues, queue, first!)).to.include({
        state: 'delayed',
        delay: 500,
        attemptsMade: 0,
      });
      expect(await takenIds(attempts, queue)).to.deep.equal([second]);
      await advance(500);
      expect(await takenIds(attempts, queue)).to.deep.equal([first]);
    });
  });

  describe('an extended lock', () => {
    // holds: reports.extend
    it('keeps the job from stalling for so long, and no longer', async () => {
      const { queues, attempts, advance } = harness();
      const { attempts: others } = await harness().replica();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue, SHORTLY);
      expect(await others.extend(queue, attempt, 60_000)).to.equal(true);
      await advance(50_000);
      expect(await findStalled(harness(), queue)).to.deep.equal([]);
      await advance(20_000);
      expect(await findStalled(harness(), queue)).to.deep.equal([id]);
      expect(await attempts.extend(queue, attempt, 60_000)).to.equal(false);
    });
  });
}
