import { expect } from 'chai';
import type { Page } from '../../src/domain/values/page.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import {
  MAX_SCHEDULERS,
  newScheduler,
  type Repeat,
  type StoredScheduler,
} from '../../src/domain/schedulers/scheduler.ts';
import { collected } from '../support/collected.ts';
import { rejection } from '../support/rejection.ts';
import { describeOverlaps } from './schedulers/overlaps.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  COMPLETED,
  countsOf,
  FAILED,
  HOUR,
  jobOf,
  listed,
  pausedIn,
  process,
  read,
  retryAfter,
  schedulersIn,
  statusOf,
  take,
  uniqueQueue,
} from './queue-steps.ts';

const PERIOD = 1000;
const EVERY = { every: PERIOD };
const NIGHTLY = { pattern: '30 2 * * *', tz: 'Europe/Berlin' };

/** What every SchedulerPort promises. */
export function describeSchedulerPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`SchedulerPort: ${name}`, () => {
    let harness: QueueHarness;
    let queue: QueueName;

    before(async () => {
      harness = await createHarness();
    });

    beforeEach(() => {
      queue = uniqueQueue();
    });

    after(() => harness.dispose());

    const save = async (repeat: Repeat, data = 1, id = 'report', paused = false): Promise<void> => {
      const opts = { attempts: 3, backoff: { type: 'linear', delay: 5 }, keepLogs: 7 } as const;
      const scheduler = newScheduler(id, { repeat, job: { name: 'work', data, opts }, paused });
      await harness.schedulers.save(queue, id, scheduler, MAX_SCHEDULERS);
    };

    const slots = async (...queues: readonly QueueName[]) =>
      [...(await harness.schedulers.slots(queues))].sort((a, b) => (a.id < b.id ? -1 : 1));

    const find = async (id = 'report'): Promise<StoredScheduler> => {
      const found = await harness.schedulers.find(queue, id);
      if (found === undefined) throw new Error(`There is no scheduler ${id}`);
      return found;
    };

    const slot = async (): Promise<number> => (await find()).planned?.slot ?? Number.NaN;

    // holds: schedulers.all
    it('returns when the schedulers of several queues are due', async () => {
      await save(EVERY, 1, 'a');
      await save(NIGHTLY, 1, 'b', true);
      const [first, other] = [queue, uniqueQueue()];
      queue = other;
      await save(NIGHTLY, 1, 'c');
      const slot = (await find('c')).planned?.slot;
      expect(slot).to.be.a('number');
      const [a, b, c] = await slots(first, uniqueQueue(), other);
      expect(a).to.include({ queue: first, id: 'a' });
      expect(a?.slot).to.be.a('number');
      expect([b, c]).to.deep.equal([
        { queue: first, id: 'b', slot: undefined },
        { queue: other, id: 'c', slot },
      ]);
    });

    // holds: hooks.missed
    it('returns which job of a scheduler last started late', async () => {
      await save(NIGHTLY);
      const late = await slot();
      await harness.advance(late + 60_000 - harness.now());
      const startedAt = harness.now();
      await process(harness.attempts, queue, COMPLETED);
      expect((await slots(queue))[0]?.late).to.deep.equal({ slot: late, startedAt });
      await harness.advance((await slot()) + 500 - harness.now());
      await process(harness.attempts, queue, COMPLETED);
      expect((await slots(queue))[0]?.late).to.deep.equal({ slot: late, startedAt });
    });

    // holds: schedulers.run-by-hand
    it('shows the last run by hand with where its job is, also when it is stored again', async () => {
      const { schedulers, queues, attempts } = harness;
      const [job] = await queues.add(queue, [jobOf()]);
      const run = { at: 1_700_000_000_123, jobId: job!.id };
      await schedulers.noteRunByHand(queue, 'report', run);
      expect(await schedulers.find(queue, 'report')).to.equal(undefined);
      await save(NIGHTLY);
      expect(await find()).not.to.have.property('lastRunByHand');
      await schedulers.noteRunByHand(queue, 'report', { at: 1, jobId: 'earlier' });
      expect((await find()).lastRunByHand).to.deep.equal({ at: 1, jobId: 'earlier', state: null });
      await schedulers.noteRunByHand(queue, 'report', run);
      await process(attempts, queue, COMPLETED);
      await save(EVERY);
      expect((await find()).lastRunByHand).to.deep.equal({ ...run, state: 'completed' });
      await schedulers.remove(queue, 'report');
      await save(NIGHTLY);
      expect(await find()).not.to.have.any.keys('last', 'lastRunByHand');
    });

    // holds: schedulers.save
    it('keeps a scheduler as it was given, and creates the queue', async () => {
      await save(NIGHTLY);
      const { planned, ...rest } = await find();
      expect(rest).to.deep.equal({
        id: 'report',
        overlap: 'allow',
        paused: false,
        repeat: NIGHTLY,
        job: {
          name: 'work',
          data: 1,
          opts: { attempts: 3, backoff: { type: 'linear', delay: 5 }, keepLogs: 7 },
        },
      });
      expect(planned?.count).to.equal(1);
      expect(new Date(planned?.slot ?? 0).getUTCMinutes()).to.equal(30);
      expect(await pausedIn(harness.queueDirectory, queue)).to.equal(false);
      expect((await countsOf(harness.queues, queue))['delayed']).to.equal(1);
      const { schedulers } = await harness.replica();
      expect(await schedulersIn({ schedulers }, queue)).to.deep.equal([await find()]);
    });

    // holds: limits.schedulers
    it('keeps the source of a scheduler until it is stored again without one', async () => {
      const { schedulers } = harness;
      const job = { name: 'work', data: 1 };
      const source = { tokens: ['shop', 'the"maker'], gap: PERIOD };
      const scheduler = newScheduler('report', { repeat: EVERY, job });
      await schedulers.save(queue, 'report', { ...scheduler, source }, MAX_SCHEDULERS);
      await process(harness.attempts, queue, COMPLETED);
      await schedulers.pause(queue, 'report');
      await schedulers.resume(queue, 'report');
      expect((await find()).source).to.deep.equal(source);
      await save(EVERY);
      expect(await find()).not.to.have.property('source');
    });

    // holds: schedulers.slots
    it('makes one job each slot, with what it was given', async () => {
      const { attempts } = harness;
      await save(EVERY);
      const first = await slot();
      for (let n = 0; n < 3; n += 1) {
        const { job } = await take(attempts, queue);
        expect(job.id).to.equal(`repeat:report:${first + n * PERIOD}`);
        expect(job).to.include({ name: 'work', data: 1 });
        expect(job.opts).to.deep.include({ attempts: 3, backoff: { type: 'linear', delay: 5 } });
        expect(await slot()).to.equal(first + (n + 1) * PERIOD);
        const last = { at: first + n * PERIOD, jobId: job.id, state: 'active' };
        expect((await find()).last).to.deep.equal(last);
        await harness.advance(PERIOD);
      }
    });

    // holds: schedulers.slots
    it('makes one job each slot of a pattern, as long as there are any', async () => {
      const { attempts, now } = harness;
      const startDate = now() + 1000;
      await save({ pattern: '* * * * * *', startDate, endDate: startDate + 2500 });
      const slots: number[] = [];
      for (let n = 0; n < 10; n += 1) {
        const { planned } = await find();
        if (planned === undefined) break;
        slots.push(planned.slot);
        await harness.advance(planned.slot - now());
        await process(attempts, queue, COMPLETED);
      }
      const [first = 0] = slots;
      expect(first).to.be.within(startDate, startDate + 1000);
      const count = Math.floor((startDate + 2500 - first) / 1000) + 1;
      expect(slots).to.deep.equal(Array.from({ length: count }, (_, n) => first + n * 1000));
      expect(await listed(harness.queues, queue, 'delayed', 'waiting')).to.deep.equal([]);
    });

    // holds: schedulers.limit
    it('makes as many jobs as its limit, which those that fail count for', async () => {
      await save({ ...EVERY, limit: 2 });
      await process(harness.attempts, queue, FAILED);
      expect((await find()).planned?.count).to.equal(2);
      await harness.advance(PERIOD);
      await process(harness.attempts, queue, COMPLETED);
      expect((await find()).planned).to.equal(undefined);
      expect((await find()).last?.state).to.equal('completed');
      expect(await countsOf(harness.queues, queue)).to.include({ delayed: 0, waiting: 0 });
    });

    // holds: schedulers.dates
    it('makes no job after its end', async () => {
      await save({ ...EVERY, endDate: harness.now() + PERIOD / 2 });
      await process(harness.attempts, queue, COMPLETED);
      expect((await find()).planned).to.equal(undefined);
      expect(await countsOf(harness.queues, queue)).to.include({ delayed: 0, waiting: 0 });
    });

    // holds: schedulers.dates
    it('makes no job before its start', async () => {
      const minute = 60_000 * Math.ceil((harness.now() + HOUR) / 60_000);
      const startDate = minute - 30_000;
      await save({ ...EVERY, startDate });
      expect(await slot()).to.equal(startDate);
      await save({ pattern: '* * * * *', startDate }, 1, 'other');
      expect((await find('other')).planned?.slot).to.equal(minute);
      expect((await schedulersIn(harness, queue)).map(({ id }) => id)).to.deep.equal([
        'report',
        'other',
      ]);
    });

    const idsOf = async (page: Page): Promise<string[]> =>
      (await collected(harness.schedulers.list(queue, page))).map(({ id }) => id);

    // holds: schedulers.page
    it('lists a page of them, in the order of their next slots', async () => {
      const ids = Array.from({ length: 70 }, (_, number) => `n${number}`);
      for (const [number, id] of ids.entries()) {
        await save({ ...EVERY, startDate: harness.now() + HOUR + number * PERIOD }, 1, id);
      }
      expect(await idsOf({ start: 0, length: 100 })).to.deep.equal(ids);
      expect(await idsOf({ start: 5, length: 60 })).to.deep.equal(ids.slice(5, 65));
      expect(await idsOf({ start: 69, length: 5 })).to.deep.equal(ids.slice(69));
      expect(await idsOf({ start: 70, length: 5 })).to.deep.equal([]);
      expect(await idsOf({ start: 0, length: 0 })).to.deep.equal([]);
      for (const id of ['b', 'a'])
        await save({ ...EVERY, startDate: harness.now() + HOUR - 1 }, 1, id);
      expect(await idsOf({ start: 0, length: 3 })).to.deep.equal(['a', 'b', 'n0']);
    });

    it('lists large ones in pieces, none of which is empty', async () => {
      const { schedulers } = harness;
      const job = { name: 'work', data: 'x'.repeat(60_000) };
      for (let number = 0; number < 20; number += 1) {
        const scheduler = newScheduler('large', { repeat: EVERY, job });
        await schedulers.save(queue, `large-${number}`, scheduler, MAX_SCHEDULERS);
      }
      const sizes: number[] = [];
      for await (const piece of schedulers.list(queue, { start: 0, length: 100 })) {
        sizes.push(piece.length);
      }
      expect(sizes.reduce((sum, size) => sum + size)).to.equal(20);
      expect(Math.min(...sizes)).to.be.at.least(1);
      expect(Math.max(...sizes)).to.be.at.most(10);
    });

    // holds: schedulers.most
    it('stores no more than it may', async () => {
      const { schedulers } = harness;
      const scheduler = newScheduler('any', { repeat: NIGHTLY, job: { name: 'work', data: 2 } });
      const saved = (id: string) => schedulers.save(queue, id, scheduler, 2);
      await saved('one');
      await saved('two');
      const refused = await rejection(saved('three'));
      expect(refused).to.include({ code: 'too-many-schedulers' });
      expect(await schedulers.find(queue, 'three')).to.equal(undefined);
      expect((await countsOf(harness.queues, queue))['delayed']).to.equal(2);
      await saved('two');
      await schedulers.pause(queue, 'one');
      expect(await rejection(saved('three'))).to.include({ code: 'too-many-schedulers' });
      await schedulers.remove(queue, 'one');
      await saved('three');
      expect(await idsOf({ start: 0, length: 10 })).to.have.members(['two', 'three']);
    });

    // holds: schedulers.immediately
    it('makes the first job of a pattern at once when it is to', async () => {
      await save({ ...NIGHTLY, immediately: true });
      const { job } = await take(harness.attempts, queue);
      expect(job.data).to.equal(1);
      expect((await find()).planned?.slot).to.be.greaterThan(harness.now());
    });

    // holds: schedulers.missed
    it('skips the slots that nobody was there for', async () => {
      await save(EVERY);
      const first = await slot();
      await harness.advance(3.5 * PERIOD);
      await process(harness.attempts, queue, COMPLETED);
      expect(await slot()).to.be.within(first + 3 * PERIOD, first + 6 * PERIOD);
      expect(await countsOf(harness.queues, queue)).to.include({ delayed: 1, waiting: 0 });
    });

    // holds: schedulers.replace
    it('takes the next job away when it is replaced', async () => {
      await save(NIGHTLY);
      await save({ pattern: '45 5 * * *' }, 2);
      expect(await find()).to.deep.include({ repeat: { pattern: '45 5 * * *', tz: 'UTC' } });
      const [id = '', ...others] = await listed(harness.queues, queue, 'delayed', 'waiting');
      expect(others).to.deep.equal([]);
      expect((await read(harness.queues, queue, id)).data).to.equal(2);
    });

    // holds: schedulers.replace
    it('goes on once when it is replaced while its job runs', async () => {
      await save(EVERY);
      const attempt = await take(harness.attempts, queue);
      await save({ every: 2 * PERIOD }, 2);
      await harness.attempts.settle(queue, attempt, COMPLETED);
      const ids = await listed(harness.queues, queue, 'delayed', 'waiting');
      expect(ids).to.deep.equal([`repeat:report:${await slot()}`]);
    });

    // holds: schedulers.replace-same
    it('goes on from where it stands when it is stored again with the same times', async () => {
      await save(EVERY);
      const first = await slot();
      await process(harness.attempts, queue, COMPLETED);
      const { last } = await find();
      for (const ahead of [PERIOD / 2, PERIOD, 2 * PERIOD]) {
        await save(EVERY, 2);
        expect(await slot()).to.equal(first + PERIOD);
        expect((await find()).last).to.deep.equal(last);
        await harness.advance(ahead);
      }
      const attempt = await take(harness.attempts, queue);
      expect(attempt.job).to.include({ id: `repeat:report:${first + PERIOD}`, data: 2 });
      const following = await slot();
      await save(EVERY, 3);
      expect(await slot()).to.equal(following);
      await harness.attempts.settle(queue, attempt, COMPLETED);
      await save({ every: 2 * PERIOD }, 4);
      expect((await take(harness.attempts, queue)).job.data).to.equal(4);
    });

    // holds: schedulers.replace-same
    it('leaves the last job alone, which is to be tried again', async () => {
      const { attempts, schedulers } = harness;
      const id = async () => (await find()).last?.jobId;
      await save({ ...EVERY, limit: 1 });
      await process(attempts, queue, retryAfter(HOUR));
      const last = await id();
      await schedulers.pause(queue, 'report');
      await save({ ...NIGHTLY });
      await schedulers.remove(queue, 'report');
      expect(await listed(harness.queues, queue, 'delayed', 'waiting')).to.deep.equal([last]);
    });

    // holds: schedulers.remove
    it('makes no more jobs once it is removed', async () => {
      await save(NIGHTLY);
      expect(await harness.schedulers.remove(queue, 'report')).to.equal(true);
      expect(await harness.schedulers.remove(queue, 'report')).to.equal(false);
      expect(await harness.schedulers.find(queue, 'report')).to.equal(undefined);
      expect((await countsOf(harness.queues, queue))['delayed']).to.equal(0);
      await save(EVERY);
      const attempt = await take(harness.attempts, queue);
      await harness.schedulers.remove(queue, 'report');
      await harness.attempts.settle(queue, attempt, COMPLETED);
      expect(await countsOf(harness.queues, queue)).to.include({ delayed: 0, completed: 1 });
    });

    // holds: schedulers.next-job
    it('keeps its next job, and goes on when that is cancelled', async () => {
      const { jobControl, queueControl } = harness;
      await save({ ...NIGHTLY });
      await harness.queues.add(queue, [jobOf({ delay: HOUR })]);
      const id = `repeat:report:${await slot()}`;
      const needed = { kind: 'needed', by: 'scheduler' };
      expect(await jobControl.remove(queue, id)).to.deep.equal(needed);
      expect(await queueControl.drain(queue, { delayed: true })).to.equal(1);
      expect(await listed(harness.queues, queue, 'delayed')).to.deep.equal([id]);
      await jobControl.cancel(queue, id, { reason: 'not this time' });
      expect(await statusOf(harness.queues, queue, id)).to.deep.equal(['failed']);
      expect((await find()).planned?.slot).to.be.greaterThan(Number(id.split(':')[2]));
    });

    it('leaves its last job to be removed once that has ended', async () => {
      await save({ ...EVERY, limit: 1 });
      const id = `repeat:report:${await slot()}`;
      await harness.jobControl.cancel(queue, id, { reason: 'not this time' });
      expect(await harness.jobControl.remove(queue, id)).to.deep.equal({ kind: 'done' });
    });

    // holds: schedulers.next-job
    it('leaves its last job to be removed once that has started, also when it was put back', async () => {
      const putBack = async (): Promise<string> => {
        await save({ ...EVERY, limit: 1 });
        const attempt = await take(harness.attempts, queue);
        await harness.attempts.release(queue, attempt);
        return attempt.job.id;
      };
      const id = await putBack();
      expect(await harness.jobControl.remove(queue, id)).to.deep.equal({ kind: 'done' });
      queue = uniqueQueue();
      await putBack();
      expect(await harness.queueControl.drain(queue, { delayed: true })).to.equal(1);
    });

    // holds: schedulers.next-job
    it('has no next job once its last one was cancelled, also when that is retried', async () => {
      await save({ ...EVERY, limit: 1 });
      const id = `repeat:report:${await slot()}`;
      await harness.jobControl.cancel(queue, id, { reason: 'not this time' });
      await harness.jobControl.retry(queue, id, {});
      expect(await statusOf(harness.queues, queue, id)).to.deep.equal(['waiting']);
      expect(await find()).not.to.have.property('planned');
      expect(await harness.jobControl.remove(queue, id)).to.deep.equal({ kind: 'done' });
    });

    // holds: schedulers.next-job
    it('keeps a changed priority of its next job to that job', async () => {
      await save(EVERY);
      await harness.jobControl.change(queue, `repeat:report:${await slot()}`, { priority: 3 });
      expect((await take(harness.attempts, queue)).job.opts.priority).to.equal(3);
      const { opts } = await read(harness.queues, queue, `repeat:report:${await slot()}`);
      expect(opts).not.to.have.property('priority');
    });

    const toStart = () => listed(harness.queues, queue, 'delayed', 'waiting');

    // holds: schedulers.pause
    it('takes the next job away while it is paused, and goes on with the next slot', async () => {
      const { schedulers } = harness;
      const startDate = harness.now() + HOUR;
      await save({ ...EVERY, startDate, limit: 5 });
      const before = await find();
      for (let n = 0; n < 2; n += 1) {
        expect(await schedulers.pause(queue, 'report')).to.equal(true);
        expect(await find()).to.deep.equal({ ...before, paused: true });
        expect(await schedulersIn({ schedulers }, queue)).to.deep.equal([await find()]);
        expect(await toStart()).to.deep.equal([]);
      }
      for (let n = 0; n < 2; n += 1) {
        expect(await schedulers.resume(queue, 'report')).to.equal(true);
        expect(await find()).to.deep.equal(before);
        expect(await toStart()).to.deep.equal([`repeat:report:${startDate}`]);
      }
      expect(await schedulers.pause(queue, 'other')).to.equal(false);
      expect(await schedulers.resume(queue, 'other')).to.equal(false);
    });

    // holds: schedulers.pause
    it('plans no job after one that is due or runs while it is paused', async () => {
      const { attempts, schedulers } = harness;
      await save({ ...EVERY, limit: 3 });
      const first = await slot();
      await schedulers.pause(queue, 'report');
      const attempt = await take(attempts, queue);
      expect(attempt.jobId).to.equal(`repeat:report:${first}`);
      await attempts.settle(queue, attempt, COMPLETED);
      expect(await toStart()).to.deep.equal([]);
      expect((await find()).last).to.include({ at: first, state: 'completed' });
      await harness.advance(2.5 * PERIOD);
      await schedulers.resume(queue, 'report');
      const resumed = await slot();
      expect((resumed - first) % PERIOD).to.equal(0);
      expect(resumed).to.be.greaterThan(first + 2 * PERIOD);
      expect(await toStart()).to.deep.equal([`repeat:report:${resumed}`]);
      await harness.advance(PERIOD);
      const { job } = await take(attempts, queue);
      expect(job).to.deep.include({ name: 'work', data: 1 });
      expect(job.opts).to.deep.include({ attempts: 3, backoff: { type: 'linear', delay: 5 } });
      expect((await find()).planned?.count).to.equal(3);
    });

    // holds: schedulers.pause
    it('makes no job once it is paused while one starts', async () => {
      const { attempts, schedulers } = await harness.replica();
      for (let n = 0; n < 10; n += 1) {
        await save({ every: HOUR }, n, `report-${n}`);
        const pausing = schedulers.pause(queue, `report-${n}`);
        const attempt = await take(attempts, queue);
        expect(await pausing).to.equal(true);
        await attempts.settle(queue, attempt, COMPLETED);
        expect(await toStart()).to.deep.equal([]);
      }
      await Promise.all([
        schedulers.resume(queue, 'report-0'),
        harness.schedulers.resume(queue, 'report-0'),
      ]);
      expect(await toStart()).to.have.length(1);
    });

    // holds: schedulers.pause
    it('makes no more jobs than its limit when it is paused', async () => {
      const { attempts, schedulers } = harness;
      await save({ ...EVERY, limit: 1 });
      await process(attempts, queue, COMPLETED);
      await schedulers.pause(queue, 'report');
      await schedulers.resume(queue, 'report');
      expect(await find()).not.to.have.property('planned');
      expect(await toStart()).to.deep.equal([]);
    });

    // holds: schedulers.limit
    it('plans nothing more once the last job within its limit is cancelled', async () => {
      await save({ ...EVERY, limit: 1 });
      await harness.jobControl.cancel(queue, `repeat:report:${await slot()}`, { reason: 'no' });
      expect(await find()).not.to.have.property('planned');
      expect(await toStart()).to.deep.equal([]);
    });

    // holds: schedulers.paused
    it('makes no job when it is stored as paused', async () => {
      await save(NIGHTLY);
      await save(EVERY, 2, 'report', true);
      const { paused, planned } = await find();
      expect(paused).to.equal(true);
      expect(await toStart()).to.deep.equal([]);
      expect(await harness.queueControl.remove(queue, false)).to.include({ schedulers: 1 });
      await save(NIGHTLY, 3, 'report', true);
      await harness.schedulers.resume(queue, 'report');
      expect(await toStart()).to.deep.equal([`repeat:report:${await slot()}`]);
      await save(EVERY, 4, 'report', true);
      await save(EVERY, 5);
      const { job } = await take(harness.attempts, queue);
      expect(job).to.deep.include({ name: 'work', data: 5 });
      expect(planned?.count).to.equal(1);
      expect((await find()).planned?.count).to.equal(2);
    });

    // holds: schedulers.queue
    it('goes with its queue', async () => {
      await save(NIGHTLY);
      expect(await harness.queueControl.remove(queue, false)).to.include({ schedulers: 1 });
      expect(await schedulersIn(harness, queue)).to.deep.equal([]);
    });

    // holds: schedulers.one-job
    it('makes one job a slot on three replicas that take jobs at once', async () => {
      const replicas = [harness, await harness.replica(), await harness.replica()];
      await save({ every: 100 });
      const first = await slot();
      const made: number[] = [];
      for (let n = 0; n < 20; n += 1) {
        const taken = await Promise.all(
          [...replicas, ...replicas].map(({ attempts }) =>
            take(attempts, queue).then(
              ({ jobId }) => [Number(jobId.split(':')[2])],
              () => [],
            ),
          ),
        );
        made.push(...taken.flat());
        await harness.advance(100);
      }
      expect(new Set(made).size).to.equal(made.length);
      expect(made.length).to.be.greaterThan(5);
      for (const each of made) expect((each - first) % 100).to.equal(0);
    });

    describeOverlaps(() => harness);
  });
}
