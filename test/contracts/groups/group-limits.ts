import { expect } from 'chai';
import type { GroupDefaults } from '../../../src/domain/groups/group-settings.ts';
import { GROUPS_OF_A_PIECE } from '../../../src/application/ports/group-store-port.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { limiterWindow } from '../../../src/domain/queues/limiter.ts';
import { isQueueFull } from '../../../src/domain/errors.ts';
import { collected } from '../../support/collected.ts';
import { rejection } from '../../support/rejection.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  findStalled,
  HOUR,
  jobOf,
  NO_JOBS,
  repeatable,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';
import { addLetters, inGroup, letterOf, starts, within } from './group-steps.ts';

/** More groups than a run of a script has take turns again. */
const MANY = 150;

const NEVER = new AbortController().signal;
const ONE = within({ concurrency: 1 });

export function describeGroupLimits(harness: () => QueueHarness): void {
  describe('limits of groups', () => {
    let queue: QueueName;

    beforeEach(() => {
      queue = uniqueQueue();
    });

    it('runs so many jobs of a group at once, over all replicas, and none of the default for no group', async () => {
      const { queues, attempts, groups } = harness();
      const other = await harness().replica();
      await groups.saveSettings(queue, 'b', { concurrency: 2 });
      await addLetters(queues, queue, 'aaabbb---');
      const claims = [attempts, other.attempts].flatMap((each) =>
        Array.from({ length: 5 }, () => each.claim(queue, claimOf(ONE))),
      );
      const taken = (await Promise.all(claims)).flatMap((claim) =>
        claim.kind === 'attempt' ? [claim.attempt] : [],
      );
      expect(taken.map(letterOf).sort().join('')).to.equal('---abb');
      const first = taken.find((attempt) => letterOf(attempt) === 'a');
      if (first !== undefined) await attempts.settle(queue, first, COMPLETED);
      expect(await starts(other.attempts, queue, ONE)).to.equal('a');
    });

    it('counts from the jobs that run: one that stalls, is removed as it completes or cancelled frees its place', async () => {
      const { queues, attempts, advance, jobControl } = harness();
      const ids = await addEach(
        queues,
        queue,
        inGroup('a'),
        inGroup('a', { removeOnComplete: true }),
      );
      await take(attempts, queue, { ...SHORTLY, groups: { concurrency: 1 } });
      expect(await starts(attempts, queue, ONE)).to.equal('');
      await advance(SOON);
      expect(await findStalled(harness(), queue)).to.deep.equal([ids[0]]);
      await attempts.settle(queue, await take(attempts, queue, ONE), COMPLETED);
      await attempts.settle(queue, await take(attempts, queue, ONE), COMPLETED);
      const [id = ''] = await addLetters(queues, queue, 'aa');
      const cancelled = await take(attempts, queue, { ...ONE, isPulled: true });
      expect(cancelled.job.id).to.equal(id);
      await jobControl.cancel(queue, id, { reason: 'over', keep: {} });
      expect(await starts(attempts, queue, ONE)).to.equal('a');
    });

    it('counts the call of a cancelled job until it ends', async () => {
      const { queues, attempts, jobControl } = harness();
      await addLetters(queues, queue, 'aa');
      const attempt = await take(attempts, queue, ONE);
      await jobControl.cancel(queue, attempt.job.id, { reason: 'over', keep: {} });
      expect(await starts(attempts, queue, ONE)).to.equal('');
      await attempts.endCall(queue, attempt);
      expect(await starts(attempts, queue, ONE)).to.equal('a');
    });

    it('counts the call of a cancelled job no longer than its lock, and not as an active job', async () => {
      const { queues, attempts, jobControl, groups, advance } = harness();
      await addLetters(queues, queue, 'aa');
      const attempt = await take(attempts, queue, { ...ONE, lockDuration: 1000 });
      await jobControl.cancel(queue, attempt.job.id, { reason: 'over', keep: {} });
      expect((await groups.find(queue, 'a', { concurrency: 1 }))?.active).to.equal(0);
      const claim = await attempts.claim(queue, claimOf(ONE));
      expect(claim).to.have.property('nextAt').that.is.a('number');
      await advance(1000);
      expect(await starts(attempts, queue, ONE)).to.equal('a');
    });

    it('bounds the rate of each group by itself, and names when the next may start', async () => {
      const { queues, attempts, groups, advance } = harness();
      const limiter = { max: 1, duration: 100 };
      const terms = within({ limiter });
      await addLetters(queues, queue, 'aab');
      // Limiters go by the clock of the store, which need not be that of the replicas. The end of a hold shows it.
      const storeTime = async (): Promise<number> => (await groups.hold(queue, 'c', 1)) - 1;
      const earliest = await storeTime();
      expect(await starts(attempts, queue, terms)).to.equal('ab');
      const latest = await storeTime();
      const claim = await attempts.claim(queue, claimOf(terms));
      if (claim.kind !== 'idle') throw new Error(claim.kind);
      expect(claim.nextAt).to.be.within(earliest + 100, latest + 1 + limiterWindow(limiter));
      await advance(200);
      expect(await starts(attempts, queue, terms)).to.equal('a');
    });

    it('goes by new settings and new defaults at once', async () => {
      const { queues, attempts, groups, advance, now } = harness();
      await addLetters(queues, queue, 'aaaaa');
      expect(await starts(attempts, queue, ONE)).to.equal('a');
      expect(await starts(attempts, queue, within({ concurrency: 2 }))).to.equal('a');
      await groups.saveSettings(queue, 'a', { concurrency: 3, expires: now() + 60_000 });
      expect(await starts(attempts, queue, ONE)).to.equal('a');
      // The clock of the replica may be some seconds ahead of that of the store, by which settings end.
      await advance(90_000);
      expect(await starts(attempts, queue, within({ concurrency: 4 }))).to.equal('a');
      expect(await groups.find(queue, 'a', undefined)).to.include({ settings: null });
      expect(await groups.removeSettings(queue, 'b')).to.equal(false);
    });

    it('goes by new defaults in each of many groups, whether they free it or not', async () => {
      const { queues, attempts, now } = harness();
      const each = Array.from({ length: MANY }, (_, group) => inGroup(`${group}g`));
      await queues.add(
        queue,
        [...each, ...each, ...each].map((opts) => jobOf(opts)),
      );
      const started = async (groups: GroupDefaults): Promise<number> =>
        (await starts(attempts, queue, within(groups))).split('g').length - 1;
      expect(await started({ concurrency: 1 })).to.equal(MANY);
      const limiter = { max: 100, duration: HOUR };
      const terms = claimOf(within({ concurrency: 1, limiter }));
      for (;;) {
        const claim = await attempts.claim(queue, terms);
        if (claim.kind !== 'idle') throw new Error(claim.kind);
        if (claim.nextAt === undefined) break;
        // The claimant is to ask again at once.
        expect(claim.nextAt).to.be.at.most(now());
      }
      expect(await started({ concurrency: 2, limiter })).to.equal(MANY);
      expect(await started({ concurrency: 3 })).to.equal(MANY);
    });

    it('pauses and holds one group, wakes those that wait as it may go on, and shows why none of its jobs starts', async () => {
      const { queues, attempts, groups, now, advance } = harness();
      await groups.pause(queue, 'a');
      await addLetters(queues, queue, 'aab');
      expect(await starts(attempts, queue)).to.equal('b');
      const blocked = async (): Promise<unknown> =>
        (await groups.find(queue, 'a', undefined))?.blocked;
      expect(await blocked()).to.deep.equal({ reason: 'paused' });
      const waiting = attempts.waitForJobs(queue, now() + HOUR, NEVER);
      await groups.resume(queue, 'a');
      await waiting;
      const until = await groups.hold(queue, 'a', 1000);
      expect(await groups.hold(queue, 'a', 10)).to.equal(until);
      expect(await blocked()).to.deep.equal({ reason: 'held', until });
      expect(await attempts.claim(queue, claimOf(ANY))).to.deep.equal({
        kind: 'idle',
        nextAt: until,
      });
      await groups.endHold(queue, 'a');
      expect(letterOf(await take(attempts, queue))).to.equal('a');
      await groups.hold(queue, 'a', 20);
      expect(await starts(attempts, queue)).to.equal('');
      await advance(50);
      expect(await starts(attempts, queue)).to.equal('a');
    });

    it('holds the group of a deferred job, and the queue for a job without one', async () => {
      const { queues, attempts, now } = harness();
      await addLetters(queues, queue, 'aab-');
      const attempt = await take(attempts, queue);
      const deferral = {
        kind: 'deferred',
        reason: 'not now',
        scope: 'group',
        until: now() + HOUR,
        call: { outcome: 'deferred' },
      } as const;
      const settled = await attempts.settle(queue, attempt, deferral);
      expect(settled.beginsHold ?? false).to.equal(false);
      expect(letterOf(await take(attempts, queue))).to.equal('b');
      const ungrouped = await take(attempts, queue);
      expect((await attempts.settle(queue, ungrouped, deferral)).beginsHold).to.equal(true);
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('limited');
    });

    // holds: groups.list
    it('lists many groups by id in short pieces, wherever they are known from', async () => {
      const { queues, attempts, groups } = harness();
      const numbered = (from: number, to: number): string[] =>
        Array.from({ length: to - from }, (_, index) => String(from + index));
      const waiting = numbered(100, 550);
      await queues.add(
        queue,
        waiting.map((id) => jobOf(inGroup(id))),
      );
      await take(attempts, queue);
      await addOne(queues, queue, inGroup('321', { delay: HOUR }));
      await addOne(queues, queue, inGroup('5500', { delay: HOUR }));
      for (const id of ['0', '3210', '600', 'é', '\u{10000}', '\uffee']) {
        await groups.saveSettings(queue, id, { weight: 2 });
      }
      await groups.pause(queue, '1');
      await groups.hold(queue, '2', HOUR);
      const expected = [...waiting, '5500', '0', '3210', '600', '1', '2'].toSorted();
      const pieces: (readonly string[])[] = [];
      for await (const piece of groups.list(queue, undefined)) {
        pieces.push(piece.map(({ id }) => id));
      }
      expect(pieces.flat()).to.deep.equal([...expected, 'é', '\uffee', '\u{10000}']);
      expect(Math.max(...pieces.map(({ length }) => length))).to.be.at.most(GROUPS_OF_A_PIECE);
    });

    it('shows groups with jobs or settings, and those without a group as one', async () => {
      const { queues, attempts, groups } = harness();
      await groups.saveSettings(queue, 'z', { weight: 3 });
      const added = await addOne(queues, queue, inGroup('a'));
      await addLetters(queues, queue, 'aab-');
      await addOne(queues, queue, inGroup('a', { delay: HOUR }));
      const taken = await take(attempts, queue);
      const shown = await collected(groups.list(queue, { concurrency: 1 }));
      expect(shown.map(({ id }) => id)).to.deep.equal(['', 'a', 'b', 'z']);
      const a = await groups.find(queue, 'a', { concurrency: 1 });
      expect(a).to.deep.equal(shown[1]);
      expect(a).to.deep.include({
        waiting: 2,
        active: 1,
        delayed: 1,
        share: 1,
        paused: false,
        heldUntil: null,
        blocked: { reason: 'concurrency' },
        settings: null,
      });
      expect(a?.waitingSince).to.be.at.least(added.timestamp);
      expect(shown[3]).to.deep.include({ waiting: 0, settings: { weight: 3 }, blocked: null });
      await attempts.settle(queue, taken, COMPLETED);
      await starts(attempts, queue);
      expect((await groups.find(queue, 'b', undefined))?.share).to.equal(0.2);
      expect(await groups.removeSettings(queue, 'z')).to.equal(true);
      expect(await groups.find(queue, 'z', undefined)).to.equal(undefined);
    });

    it('refuses an add over the room of a group, and stores nothing of it', async () => {
      const { queues, groups } = harness();
      await groups.saveSettings(queue, 'b', { maxWaiting: 3 });
      const jobs = [inGroup('a'), {}, inGroup('a', { delay: HOUR }), inGroup('a'), inGroup('a')];
      const batch = jobs.map((opts) => jobOf(opts));
      const error = await rejection(queues.add(queue, batch, undefined, 2));
      expect(isQueueFull(error)).to.equal(true);
      expect(error.message).to.equal('[4].opts.group a has 2 waiting jobs');
      expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
      await queues.add(queue, batch, undefined, 3);
      await queues.add(
        queue,
        [1, 2, 3].map(() => jobOf(inGroup('b'))),
        undefined,
        0,
      );
      const once = { ...repeatable([jobOf(inGroup('b'))]), maxWaitingOfGroup: 100 };
      const refused = await rejection(queues.addOnce(queue, once, { key: 'k', body: 'b' }));
      expect(refused.message).to.equal('[0].opts.group b has 3 waiting jobs');
    });
  });
}
