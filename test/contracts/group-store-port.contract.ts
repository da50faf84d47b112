import { expect } from 'chai';
import type { Attempt } from '../../src/domain/attempts/attempt.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { MOST_CHANGED_GROUPS } from '../../src/domain/groups/group-settings.ts';
import { piecesOf } from '../../src/domain/values/pieces.ts';
import type { JobOptionsInput } from '../../src/domain/jobs/job-options.ts';
import { collected } from '../support/collected.ts';
import { FairTurns } from '../support/fair-turns.ts';
import { rejection } from '../support/rejection.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addEach,
  ANY,
  claimOf,
  findStalled,
  HOUR,
  jobOf,
  retryAfter,
  SHORTLY,
  SOON,
  uniqueQueue,
  type ClaimTerms,
} from './queue-steps.ts';
import { isVolumePlayedOn } from './played-on.ts';
import { rounds } from '../support/lane.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const QUARTER = 15 * MINUTE;

/** Of the plays beside a model of fair turns. */
const SEEDS = [4, 12, 22];

/** Options of a job of a group. */
function of(id: string, more: JobOptionsInput = {}, cost?: number): JobOptionsInput {
  return { ...more, group: { id, ...(cost !== undefined && { cost }) } };
}

/** What every GroupStorePort promises, and how the jobs of groups start (platform contract, section 13). */
export function describeGroupStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`GroupStorePort: ${name}`, () => {
    let harness: QueueHarness;
    let queue: QueueName;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    beforeEach(() => {
      queue = uniqueQueue();
    });

    const add = (...options: readonly JobOptionsInput[]): Promise<readonly string[]> =>
      addEach(harness.queues, queue, ...options);

    async function claimed(terms: ClaimTerms = ANY): Promise<Attempt | undefined> {
      const claim = await harness.attempts.claim(queue, claimOf(terms));
      return claim.kind === 'attempt' ? claim.attempt : undefined;
    }

    async function complete(attempt: Attempt | undefined): Promise<void> {
      if (attempt === undefined) throw new Error('No job was claimed');
      await harness.attempts.settle(queue, attempt, { kind: 'completed', returnvalue: null });
    }

    /** The groups of the jobs in the order in which they start, one after the other. */
    async function started(terms: ClaimTerms = ANY): Promise<string> {
      const groups: string[] = [];
      for (let attempt = await claimed(terms); attempt; attempt = await claimed(terms)) {
        groups.push(attempt.job.opts.group?.id ?? '-');
        await complete(attempt);
      }
      return groups.join('');
    }

    /** The ids of the jobs in the order in which they start, one after the other. */
    async function startedIds(terms: ClaimTerms = ANY): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let attempt = await claimed(terms); attempt; attempt = await claimed(terms)) {
        ids.push(attempt.jobId);
        await complete(attempt);
      }
      return ids;
    }

    // holds: groups.turns
    it('takes turns among groups, and among them the jobs without one', async () => {
      await add(of('a'), of('a'), of('a'), of('b'), of('b'), of('c'));
      expect(await started()).to.equal('abcaba');
      await add({}, {}, of('a'), of('a'), {}, of('b'));
      expect(await started()).to.equal('-ab-a-');
    });

    // holds: groups.turns
    it('goes by weights and costs', async () => {
      await harness.groups.saveSettings(queue, 'b', { weight: 2 });
      await add(of('b'), of('b'), of('b'), of('b'), of('s'), of('s'));
      expect(await started()).to.equal('bsbsbb');
      await add(of('x', {}, 3), of('x'), of('y'), of('y'), of('y'), of('y'));
      expect(await started()).to.equal('xyyyxy');
    });

    // holds: groups.turns
    it('saves up no turns for a group that was idle', async () => {
      await add(of('a'), of('a'), of('a'), of('a'));
      for (let turn = 0; turn < 3; turn += 1) await complete(await claimed());
      await add(of('b'), of('b'), of('b'), of('a'));
      expect(await started()).to.equal('babab'.slice(0, 5));
    });

    // holds: groups.job
    it('keeps priorities, lifo and delays within a group', async () => {
      const priorities = [{}, { priority: 5 }, { priority: 2 }, { lifo: true }, {}];
      const ids = await add(...priorities.map((each) => of('a', each)));
      expect(await startedIds()).to.deep.equal([3, 0, 4, 2, 1].map((index) => ids[index]));
      const delayed = await add(of('a', { delay: 200 }), of('a', { delay: 100 }), of('a'));
      await harness.advance(300);
      expect(await startedIds()).to.deep.equal([1, 0, 2].map((index) => delayed[index]));
    });

    // holds: groups.limits
    it('never runs more jobs of a group than its limit, whatever ends them', async () => {
      const terms = { ...ANY, groups: { concurrency: 1 } };
      await add(of('a'), of('a'), of('a'), of('b'), {}, {});
      const first = await claimed(terms);
      await claimed(terms);
      await claimed(terms);
      await claimed(terms);
      expect(await claimed(terms)).to.equal(undefined);
      const [{ active, waiting, blocked } = { active: 0 }] = (
        await collected(harness.groups.list(queue, { concurrency: 1 }))
      ).filter(({ id }) => id === 'a');
      expect({ active, waiting, blocked }).to.deep.equal({
        active: 1,
        waiting: 2,
        blocked: { reason: 'concurrency' },
      });
      await complete(first);
      const second = await claimed(terms);
      expect(second?.job.opts.group).to.deep.equal({ id: 'a' });
      await harness.attempts.release(queue, second as Attempt);
      const again = await claimed(terms);
      expect(again?.jobId).to.equal(second?.jobId);
      await harness.jobControl.cancel(queue, again?.jobId ?? '', {
        reason: 'enough',
        keep: undefined,
      });
      await harness.attempts.endCall(queue, again as Attempt);
      expect((await claimed(terms))?.job.opts.group).to.deep.equal({ id: 'a' });
    });

    // holds: groups.limits
    it('takes no slot of a group for a job that stalled or was removed with its success', async () => {
      const groups = { concurrency: 1 };
      await add(of('a', { removeOnComplete: true }), of('a'));
      await claimed({ ...SHORTLY, groups });
      await harness.advance(SOON);
      await findStalled(harness, queue);
      const again = await claimed({ ...ANY, groups });
      expect(again?.jobId).to.equal('1');
      await complete(again);
      expect((await claimed({ ...ANY, groups }))?.jobId).to.equal('2');
    });

    // holds: groups.limits
    it('bounds the rate at which jobs of a group start', async () => {
      const terms = { ...ANY, groups: { limiter: { max: 2, duration: 1000 } } };
      await add(of('a'), of('a'), of('a'), of('b'));
      expect(await started(terms)).to.equal('aba');
      const claim = await harness.attempts.claim(queue, claimOf(terms));
      expect(claim).to.have.property('nextAt').that.is.a('number');
      await harness.advance(1200);
      expect(await started(terms)).to.equal('a');
    });

    // holds: groups.order
    it('holds an ordered group for a job that is tried again, and passes over one that failed', async () => {
      const terms = { ...ANY, groups: { ordered: 'skip' as const } };
      await add(of('a'), of('a'), of('a'));
      const first = (await claimed(terms)) as Attempt;
      expect(await claimed(terms)).to.equal(undefined);
      await harness.attempts.settle(queue, first, { kind: 'retry', reason: 'no', delay: 60_000 });
      expect(await claimed(terms)).to.equal(undefined);
      await harness.advance(61_000);
      const retried = (await claimed(terms)) as Attempt;
      expect(retried.jobId).to.equal(first.jobId);
      await harness.attempts.settle(queue, retried, { kind: 'failed', reason: 'no' });
      expect(await startedIds(terms)).to.deep.equal(['2', '3']);
    });

    // holds: groups.order
    it('blocks a group by a job that failed for good until it is retried or removed', async () => {
      const groups = { ordered: 'block' as const };
      const terms = { ...ANY, groups };
      await add(of('a'), of('a'), of('b'));
      const first = (await claimed(terms)) as Attempt;
      await harness.attempts.settle(queue, first, { kind: 'failed', reason: 'no' });
      expect(await started(terms)).to.equal('b');
      const blocked = { reason: 'failed-job', job: first.jobId };
      expect(await harness.groups.find(queue, 'a', groups)).to.deep.include({ blocked });
      await harness.jobControl.retry(queue, first.jobId, {});
      const again = (await claimed(terms)) as Attempt;
      expect(again.jobId).to.equal(first.jobId);
      await harness.attempts.settle(queue, again, { kind: 'failed', reason: 'no' });
      await harness.jobControl.remove(queue, first.jobId);
      expect(await startedIds(terms)).to.deep.equal(['2']);
    });

    // holds: groups.hold
    it('holds the group of a job whose endpoint asks for it', async () => {
      await add(of('a'), of('a'), of('b'));
      const first = (await claimed()) as Attempt;
      await harness.attempts.settle(queue, first, {
        kind: 'deferred',
        reason: 'later',
        scope: 'group',
        until: harness.now() + 500,
        call: { outcome: 'deferred', status: 429 },
      });
      expect(await started()).to.equal('b');
      await harness.advance(600);
      expect(await startedIds()).to.deep.equal(['1', '2']);
    });

    // holds: groups.settings
    it('pauses, resumes, holds and frees a group, also on another replica', async () => {
      const other = await harness.replica();
      await other.groups.pause(queue, 'a');
      await add(of('a'), of('b'));
      expect(await started()).to.equal('b');
      expect(await harness.groups.find(queue, 'a', undefined)).to.deep.include({
        paused: true,
        waiting: 1,
        blocked: { reason: 'paused' },
      });
      const until = await other.groups.hold(queue, 'a', 60_000);
      await other.groups.resume(queue, 'a');
      expect(await claimed()).to.equal(undefined);
      expect(await harness.groups.find(queue, 'a', undefined)).to.deep.include({
        heldUntil: until,
      });
      await other.groups.endHold(queue, 'a');
      expect(await started()).to.equal('a');
    });

    // holds: groups.settings
    it('keeps the settings of a group without jobs until they are removed', async () => {
      const settings = { concurrency: 2, weight: 3 };
      await harness.groups.saveSettings(queue, 'a', settings);
      expect(await harness.groups.find(queue, 'a', undefined)).to.deep.include({
        waiting: 0,
        settings,
      });
      expect(await harness.groups.removeSettings(queue, 'a')).to.equal(true);
      expect(await harness.groups.removeSettings(queue, 'a')).to.equal(false);
      expect(await harness.groups.find(queue, 'a', undefined)).to.equal(undefined);
    });

    // holds: groups.room
    it('refuses an add that a group has no room for, and stores nothing of it', async () => {
      await harness.groups.saveSettings(queue, 'a', { maxWaiting: 2 });
      await add(of('a'), of('b'));
      const jobs = [jobOf(of('b')), jobOf(of('a')), jobOf(of('a'))];
      const refused = await harness.queues.add(queue, jobs).catch((error: unknown) => error);
      expect(refused).to.include({
        code: 'queue-full',
        message: '[2].opts.group a has 2 waiting jobs',
      });
      const full = await harness.queues.add(queue, jobs.slice(0, 1), undefined, 1).catch(String);
      expect(full).to.include('[0].opts.group b has 1 waiting job');
      expect((await harness.queues.summary(queue)).counts.waiting).to.equal(2);
    });

    // holds: groups.job
    it('counts, lists, cancels and removes the waiting jobs of groups as any other', async () => {
      const ids = await add(of('a'), of('b', { priority: 3 }), {}, of('a', { delay: 60_000 }));
      const { counts, jobs } = await harness.queues.list(queue, {
        statuses: ['waiting'],
        start: 0,
        length: 10,
      });
      expect(counts).to.include({ waiting: 3, prioritized: 0, delayed: 1 });
      const listed = await collected(jobs);
      expect(listed.map(({ id }) => id)).to.have.members(ids.slice(0, 3));
      expect((await harness.queues.find(queue, ids[1] ?? ''))?.state).to.equal('waiting');
      await harness.jobControl.cancel(queue, ids[0] ?? '', { reason: 'no', keep: undefined });
      await harness.jobControl.remove(queue, ids[1] ?? '');
      expect(await started()).to.equal('-');
      await harness.jobControl.promote(queue, ids[3] ?? '');
      expect(await started()).to.equal('a');
      await add(of('a'), of('b'), {});
      expect(await harness.queueControl.drain(queue, {})).to.equal(3);
    });

    // holds: groups.shown
    it('shows the group in events and with the attempts of a job', async () => {
      const [id = ''] = await add(of('a'), {});
      await complete(await claimed());
      const { events } = await harness.events.read(queue, '0-0');
      const ofJob = events.filter(({ data }) => 'jobId' in data && data.jobId === id);
      for (const { name, data } of ofJob) expect(data, name).to.include({ group: 'a' });
      expect(ofJob.map(({ name }) => name)).to.include.members(['added', 'active', 'completed']);
      expect(await harness.queues.attempts(queue, id)).to.include({ group: 'a' });
      expect(await harness.queues.attempts(queue, '2')).not.to.have.property('group');
      const ids = ['1', '2'];
      for await (const jobs of harness.jobScan.look(queue, ids, ['group'])) {
        expect(jobs.map(({ group }) => group)).to.deep.equal(['a', undefined]);
      }
    });

    // holds: groups.shown
    it('shows the group in every event of a job, however it starts and ends', async () => {
      const { events, attempts, jobControl } = harness;
      const ids = await add(of('a'), of('a', { delay: HOUR }), of('a'));
      const call = { outcome: 'deferred' } as const;
      const deferral = { kind: 'deferred', reason: 'no', scope: 'job', call } as const;
      const attempt = (await claimed()) as Attempt;
      await attempts.reportProgress(queue, attempt, 5);
      await attempts.addLog(queue, attempt, 'a line');
      await attempts.settle(queue, attempt, { ...deferral, until: harness.now() + HOUR });
      await jobControl.change(queue, ids[0] ?? '', { delay: 1 });
      await jobControl.promote(queue, ids[0] ?? '');
      await attempts.release(queue, (await claimed()) as Attempt);
      await jobControl.cancel(queue, ids[0] ?? '', { reason: 'no', keep: undefined });
      await jobControl.retry(queue, ids[0] ?? '', {});
      for (const id of ids) await jobControl.remove(queue, id);
      const written = (await events.read(queue, '0-0')).events.filter(
        ({ data }) => 'jobId' in data,
      );
      const names = ['progress', 'log', 'deferred', 'delayed', 'waiting', 'cancelled', 'removed'];
      expect(written.map(({ name }) => name)).to.include.members(names);
      for (const { name, data } of written) expect(data, name).to.include({ group: 'a' });
    });

    if (isVolumePlayedOn(name)) {
      // holds: groups.turns
      it('goes on when thousands of groups run out of jobs at once', async () => {
        // It runs all the time: without any that runs or waits, all groups begin anew.
        await add(of('a'));
        await claimed();
        const jobs = Array.from({ length: 9000 }, (_, index) =>
          jobOf(of(`g${index}`, { removeOnComplete: true })),
        );
        for (const piece of piecesOf(jobs, 1000)) await harness.queues.add(queue, piece);
        for (const piece of piecesOf(jobs, 300)) {
          await Promise.all(piece.map(async () => complete(await claimed())));
        }
        expect(await claimed()).to.equal(undefined);
        const [last] = await add(of('g7'));
        expect((await claimed())?.jobId).to.equal(last);
      });
    }

    // holds: groups.limits
    it('goes on past more than a thousand groups at their limits', async () => {
      const terms = { ...ANY, groups: { limiter: { max: 1, duration: HOUR } } };
      const ids = Array.from({ length: 1200 }, (_, index) => `g${index}`);
      const jobs = [...ids, ...ids].map((id) => jobOf(of(id)));
      for (const piece of piecesOf(jobs, 600)) await harness.queues.add(queue, piece);
      const [, second] = await add({}, {});
      for (const piece of piecesOf([...ids, 'none'], 300)) {
        await Promise.all(piece.map(async () => complete(await claimed(terms))));
      }
      let found = await claimed(terms);
      // A claim may return before it has looked at all of them: then one that waits for jobs is woken.
      if (found === undefined) {
        await harness.attempts.waitForJobs(
          queue,
          harness.now() + HOUR,
          new AbortController().signal,
        );
        found = await claimed(terms);
      }
      expect(found?.jobId).to.equal(second);
    });

    if (isVolumePlayedOn(name)) {
      // holds: groups.turns
      it('agrees with a model of fair turns, whatever happens in whatever order', async function () {
        // Time passes by a look at all keys of the store, which other tests use as well.
        this.timeout(60_000);
        for (const seed of SEEDS.slice(0, rounds(3, 1))) {
          queue = uniqueQueue();
          const random = seededRandom(seed);
          const pick = (most: number): number => Math.floor(random() * most);
          const ids = ['a', 'b', 'c', 'd', 'e'];
          const limiter = { max: 1 + pick(8), duration: 4 * QUARTER };
          const limits = { concurrency: 1 + pick(3), limiter };
          const model = new FairTurns(limits);
          for (const id of ids) {
            const weight = 1 + pick(3);
            await harness.groups.saveSettings(queue, id, { weight });
            model.weigh(id, weight);
          }
          const running: Attempt[] = [];
          const pass = async (ms: number): Promise<void> => {
            await harness.advance(ms);
            model.pass(ms);
          };
          const start = async (step: number): Promise<void> => {
            const attempt = await claimed({ ...ANY, lockDuration: 1000 * HOUR, groups: limits });
            expect(attempt?.jobId, `seed ${seed}, step ${step}`).to.equal(model.start());
            if (attempt !== undefined) running.push(attempt);
          };
          for (let step = 0; step < rounds(150, 60); step += 1) {
            const id = ids[pick(ids.length)] as string;
            // Nothing happens at the same time as something else, nor falls due so.
            await pass(SECOND);
            const delay = (1 + pick(2)) * QUARTER + step * 100;
            const what = random();
            if (what < 0.4) {
              const cost = 1 + pick(4);
              const isDelayed = random() < 0.2;
              const [job = ''] = await add(of(id, isDelayed ? { delay } : {}, cost));
              model.add(id, job, cost, isDelayed ? delay : 0);
            } else if (what < 0.72) {
              await start(step);
            } else if (what < 0.9 && running.length > 0) {
              const [attempt] = running.splice(pick(running.length), 1) as [Attempt];
              const again = [undefined, undefined, 0, delay][pick(4)];
              if (again === undefined) await complete(attempt);
              else await harness.attempts.settle(queue, attempt, retryAfter(again));
              model.end(attempt.jobId, again);
            } else if (what < 0.95) {
              await pass(QUARTER + MINUTE);
              await start(step);
            } else if (random() < 0.5) {
              await harness.groups.pause(queue, id);
              model.pause(id, true);
            } else {
              await harness.groups.resume(queue, id);
              model.pause(id, false);
            }
          }
        }
      });
    }

    if (isVolumePlayedOn(name)) {
      // holds: groups.bounds
      it('refuses changes to more groups than a queue may have', async () => {
        const { groups } = harness;
        const queue = uniqueQueue();
        const ids = Array.from({ length: MOST_CHANGED_GROUPS }, (_, index) => `g${index}`);
        const changes = [
          (id: string): Promise<unknown> => groups.saveSettings(queue, id, { weight: 2 }),
          (id: string): Promise<unknown> => groups.pause(queue, id),
          (id: string): Promise<unknown> => groups.hold(queue, id, HOUR),
        ];
        for (const change of changes) {
          for (const some of piecesOf(ids, 1000)) await Promise.all(some.map(change));
          expect(await rejection(change('other'))).to.include({ code: 'too-many-groups' });
          await change('g7');
        }
        await groups.removeSettings(queue, 'g1');
        await groups.saveSettings(queue, 'other', { weight: 2 });
      }).timeout(60_000);
    }
  });
}
