import { expect } from 'chai';
import type { DeduplicationOptions } from '../../../src/domain/jobs/deduplication.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { newJob, type AddedJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import type { Json } from '../../../src/domain/values/json.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  factsOf,
  FAILED,
  jobOf,
  listed,
  process,
  read,
  repeatable,
  retryAfter,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

type Rules = Omit<DeduplicationOptions, 'id'>;

const DELAY = { delay: 60_000 };
const LAST = { keepLastIfActive: true };

export function describeDeduplication(harness: () => QueueHarness): void {
  describe('deduplication', () => {
    let queue: QueueName;

    beforeEach(() => {
      queue = uniqueQueue();
    });

    const jobFor = (rules: Rules = {}, opts: JobOptionsInput = {}, data: Json = null): NewJob =>
      jobOf({ ...opts, deduplication: { id: 'customer-17', ...rules } }, data);

    const add = async (rules?: Rules, opts?: JobOptionsInput, data?: Json): Promise<AddedJob> => {
      const [job] = await harness().queues.add(queue, [jobFor(rules, opts, data)]);
      if (job === undefined) throw new Error('The answer has no job');
      return job;
    };

    const standing = async (id = 'customer-17'): Promise<string | undefined> =>
      (await harness().queueControl.deduplication(queue, id))?.jobId;

    // holds: deduplication.answer
    it('answers with the job that stands for the id, and adds nothing', async () => {
      const first = await add({}, {}, 1);
      expect(first).not.to.have.property('deduplicated');
      const second = await add({}, {}, 2);
      expect(second).to.deep.equal({ ...first, deduplicated: true });
      expect((await countsOf(harness().queues, queue))['waiting']).to.equal(1);
      expect(first.opts).to.deep.equal({
        attempts: 0,
        delay: 0,
        deduplication: { id: 'customer-17' },
      });
      const stored = await read(harness().queues, queue, first.id);
      expect(factsOf(stored)).to.deep.equal(factsOf({ ...first, stacktrace: stored.stacktrace }));
    });

    // holds: deduplication.batch
    it('looks at the jobs of a batch one after the other, others among them', async () => {
      const { queues } = harness();
      const jobs = [
        jobOf(),
        jobFor({}, {}, 1),
        jobOf({ priority: 1 }),
        jobFor({}, {}, 2),
        jobOf({ jobId: 'own' }),
      ];
      const added = await queues.add(queue, jobs);
      expect(added.map(({ deduplicated = false }) => deduplicated)).to.deep.equal([
        false,
        false,
        false,
        true,
        false,
      ]);
      expect(added[3]).to.deep.equal({ ...added[1], deduplicated: true });
      expect(added[4]?.id).to.equal('own');
      expect(await countsOf(queues, queue)).to.include({ waiting: 3, prioritized: 1 });
    });

    // holds: deduplication.batch
    it('looks at the jobs of a large batch', async () => {
      const { queues } = harness();
      const jobs = Array.from({ length: 2400 }, (_, n) =>
        newJob({ name: 'work', data: n, opts: { deduplication: { id: `id-${n % 1200}` } } }, ''),
      );
      const added = await queues.add(queue, [...jobs, jobOf()]);
      expect(added.filter(({ deduplicated }) => deduplicated === true)).to.have.length(1200);
      expect(added[1200]).to.deep.equal({ ...added[0], deduplicated: true });
      expect((await countsOf(queues, queue))['waiting']).to.equal(1201);
    });

    // holds: deduplication.answer
    it('reports an id that exists already only by that id', async () => {
      const first = await add({}, { jobId: 'own' });
      const same = await add({}, { jobId: 'own' });
      expect(same).to.deep.equal({ ...first, existed: true });
    });

    // holds: deduplication.read
    it('returns which job stands for an id, and for how long', async () => {
      const { queueControl, advance } = harness();
      expect(await queueControl.deduplication(queue, 'customer-17')).to.equal(undefined);
      const first = await add();
      expect(await queueControl.deduplication(queue, 'customer-17')).to.deep.equal({
        id: 'customer-17',
        jobId: first.id,
        ttl: null,
      });
      const [second] = await harness().queues.add(queue, [
        jobOf({ deduplication: { id: 'timed', ttl: 60_000 } }),
      ]);
      await advance(10_000);
      const timed = await queueControl.deduplication(queue, 'timed');
      expect(timed?.jobId).to.equal(second?.id);
      expect(timed?.ttl).to.be.within(40_000, 50_000);
    });

    // holds: deduplication.delete
    it('is ended on request, and the next job is added', async () => {
      const { queueControl } = harness();
      expect(await queueControl.endDeduplication(queue, 'customer-17')).to.equal(false);
      const first = await add();
      expect(await queueControl.endDeduplication(queue, 'customer-17')).to.equal(true);
      expect(await standing()).to.equal(undefined);
      const second = await add();
      expect(second.id).not.to.equal(first.id);
      expect(second).not.to.have.property('deduplicated');
    });

    for (const [what, ending] of [
      ['completed', COMPLETED],
      ['failed', FAILED],
    ] as const) {
      // holds: deduplication.end
      it(`ends when the job has ${what}`, async () => {
        const { attempts } = harness();
        const first = await add();
        expect((await add()).deduplicated).to.equal(true);
        await process(attempts, queue, ending);
        expect(await standing()).to.equal(undefined);
        const second = await add();
        expect(second.id).not.to.equal(first.id);
        expect(second).not.to.have.property('deduplicated');
      });
    }

    // holds: deduplication.end
    it('goes on while the job is active, is released or tried again', async () => {
      const { attempts } = harness();
      const { id } = await add({}, { attempts: 3 });
      const attempt = await take(attempts, queue);
      expect(await add()).to.include({ id, deduplicated: true });
      await attempts.release(queue, attempt);
      expect(await add()).to.include({ id, deduplicated: true });
      await process(attempts, queue, retryAfter(0));
      expect(await add()).to.include({ id, deduplicated: true });
      await process(attempts, queue, retryAfter(60_000));
      expect(await add()).to.include({ id, deduplicated: true });
    });

    // holds: deduplication.end
    it('ends when the job is removed or drained, and when it is cancelled', async () => {
      const { jobControl, queueControl } = harness();
      const first = await add();
      await jobControl.remove(queue, first.id);
      expect(await standing()).to.equal(undefined);
      const second = await add();
      await queueControl.drain(queue, {});
      expect(await standing()).to.equal(undefined);
      const third = await add({}, DELAY);
      expect(third.id).not.to.equal(second.id);
      await jobControl.cancel(queue, third.id, { reason: 'Cancelled' });
      expect(await standing()).to.equal(undefined);
    });

    // holds: deduplication.end
    it('is not begun by a job that is retried by hand, and outlives a change of the job', async () => {
      const { attempts, jobControl } = harness();
      const { id } = await add({}, DELAY);
      await jobControl.change(queue, id, { delay: 90_000, data: 'new' });
      expect(await standing()).to.equal(id);
      await jobControl.promote(queue, id);
      expect(await standing()).to.equal(id);
      await process(attempts, queue, FAILED);
      await jobControl.retry(queue, id, {});
      expect(await standing()).to.equal(undefined);
    });

    // holds: deduplication.ttl
    it('lasts for its time, even when the job has ended, and no longer', async () => {
      const { attempts, advance, queues } = harness();
      const first = await add({ ttl: 60_000 });
      await process(attempts, queue, COMPLETED);
      await advance(30_000);
      const second = await add({ ttl: 60_000 });
      expect(second).to.include({ id: first.id, deduplicated: true });
      await advance(30_000);
      expect((await add({ ttl: 60_000 })).id).not.to.equal(first.id);
      expect((await countsOf(queues, queue))['waiting']).to.equal(1);
    });

    // holds: deduplication.ttl
    it('is answered by the id alone of a job that is gone before its time is over', async () => {
      const { attempts } = harness();
      const first = await add({ ttl: 60_000 });
      const attempt = await take(attempts, queue);
      await attempts.settle(queue, attempt, { ...COMPLETED, keep: { count: 0 } });
      expect(await add({ ttl: 60_000 })).to.deep.equal({ id: first.id, deduplicated: true });
    });

    // holds: deduplication.extend
    it('begins its time anew when extended', async () => {
      const { advance } = harness();
      const rules = { ttl: 60_000, extend: true };
      const { id } = await add(rules);
      for (let n = 0; n < 3; n += 1) {
        await advance(40_000);
        expect(await add(rules)).to.include({ id, deduplicated: true });
      }
      await advance(60_000);
      expect((await add(rules)).id).not.to.equal(id);
    });

    // holds: deduplication.replace
    it('lets a delayed job be replaced', async () => {
      const { queues } = harness();
      const first = await add({}, DELAY, 1);
      const second = await add({ replace: true }, DELAY, 2);
      expect(second).not.to.have.property('deduplicated');
      expect(second.data).to.equal(2);
      expect(await queues.find(queue, first.id)).to.equal(undefined);
      expect(await listed(queues, queue, 'delayed')).to.deep.equal([second.id]);
      expect(await standing()).to.equal(second.id);
    });

    // holds: deduplication.replace
    it('lets no other job be replaced', async () => {
      const first = await add();
      expect(await add({ replace: true })).to.include({ id: first.id, deduplicated: true });
      const attempt = await take(harness().attempts, queue);
      expect(attempt.jobId).to.equal(first.id);
      expect(await add({ replace: true })).to.include({ id: first.id, deduplicated: true });
    });

    // holds: deduplication.replace
    it('replaces a job without giving the id more time, unless it is extended', async () => {
      const { advance, queueControl } = harness();
      await add({ ttl: 60_000 }, DELAY);
      await advance(20_000);
      await add({ ttl: 60_000, replace: true }, DELAY);
      const kept = await queueControl.deduplication(queue, 'customer-17');
      expect(kept?.ttl).to.be.within(30_000, 40_000);
      await add({ ttl: 60_000, replace: true, extend: true }, DELAY);
      const extended = await queueControl.deduplication(queue, 'customer-17');
      expect(extended?.ttl).to.be.within(50_000, 60_000);
    });

    // holds: deduplication.replace
    it('answers with both jobs when one of a batch replaces another', async () => {
      const { queues } = harness();
      const added = await queues.add(queue, [
        jobFor({}, { ...DELAY, jobId: 'first' }),
        jobFor({ replace: true }, { ...DELAY, jobId: 'second' }),
        jobOf({ jobId: 'first' }, 'anew'),
      ]);
      expect(added.map(({ id, data }) => [id, data])).to.deep.equal([
        ['first', null],
        ['second', null],
        ['first', 'anew'],
      ]);
      expect(await countsOf(queues, queue)).to.include({ delayed: 1, waiting: 1 });
    });

    // holds: deduplication.replace
    it('answers with the id alone of a job that a later one of the batch replaces', async () => {
      const { id } = await add({}, DELAY);
      const added = await harness().queues.add(queue, [jobFor(), jobFor({ replace: true }, DELAY)]);
      expect(added[0]).to.deep.equal({ id, deduplicated: true });
      expect(await standing()).to.equal(added[1]?.id);
    });

    // holds: deduplication.reschedule
    it('gives a delayed job the delay of the one that is not added', async () => {
      const { queues, attempts, advance } = harness();
      const { id } = await add({}, DELAY, 1);
      const second = await add({ reschedule: true }, { delay: 5000 }, 2);
      expect(second).to.include({ id, deduplicated: true, data: 1, delay: 5000 });
      expect(await listed(queues, queue, 'delayed')).to.deep.equal([id]);
      await advance(5000);
      expect((await take(attempts, queue)).jobId).to.equal(id);
    });

    // holds: deduplication.keep-last
    it('keeps the last job that was added during an attempt, and adds it when that has ended', async () => {
      const { queues, attempts } = harness();
      const first = await add(LAST, {}, 1);
      const attempt = await take(attempts, queue);
      for (const data of [2, 3]) {
        expect(await add(LAST, { attempts: 4 }, data)).to.include({
          id: first.id,
          deduplicated: true,
        });
      }
      expect((await countsOf(queues, queue))['waiting']).to.equal(0);
      await attempts.settle(queue, attempt, COMPLETED);
      const next = await take(attempts, queue);
      expect(next.jobId).not.to.equal(first.id);
      expect(next.job).to.deep.include({
        data: 3,
        opts: { attempts: 4, delay: 0, deduplication: { id: 'customer-17', ...LAST } },
      });
      expect(await standing()).to.equal(next.jobId);
      await attempts.settle(queue, next, FAILED);
      expect(await standing()).to.equal(undefined);
      expect(await attempts.claim(queue, claimOf(ANY))).to.include({ kind: 'idle' });
    });

    // holds: deduplication.keep-last
    it('gives the job that follows its place, also to the claim that goes along', async () => {
      const { queues, attempts } = harness();
      await add(LAST);
      const attempt = await take(attempts, queue);
      await add(LAST, { priority: 5 }, 2);
      const settled = await attempts.settle(queue, attempt, FAILED, claimOf(ANY));
      expect(settled.next).to.have.nested.property('attempt.job.data', 2);
      if (settled.next?.kind !== 'attempt') throw new Error('Nothing was claimed');
      await add(LAST, DELAY, 3);
      await attempts.settle(queue, settled.next.attempt, COMPLETED);
      const [delayed = ''] = await listed(queues, queue, 'delayed');
      expect(await read(queues, queue, delayed)).to.include({ data: 3, delay: 60_000 });
    });

    // holds: deduplication.races
    it('adds one job when three replicas are asked at once', async () => {
      const replicas = [harness(), await harness().replica(), await harness().replica()];
      const calls = [...replicas, ...replicas, ...replicas];
      const answers = await Promise.all(calls.map(({ queues }) => queues.add(queue, [jobFor()])));
      const jobs = answers.flat();
      expect(new Set(jobs.map(({ id }) => id)).size).to.equal(1);
      expect(jobs.filter(({ deduplicated }) => deduplicated !== true)).to.have.length(1);
      expect((await countsOf(harness().queues, queue))['waiting']).to.equal(1);
    });

    // holds: deduplication.answer, idempotency.replay
    it('is answered again for an add that is repeated', async () => {
      const { queues } = harness();
      const identity = { key: 'key-1', body: 'body-1' };
      const standingJob = await add();
      const jobs = [jobOf(), jobFor(), jobOf()];
      const first = await queues.addOnce(queue, repeatable(jobs), identity);
      const repeat = await queues.addOnce(queue, repeatable(jobs), identity);
      expect(repeat).to.deep.equal({ ...first, kind: 'repeated' });
      expect(repeat)
        .to.have.nested.property('jobs[1]')
        .that.deep.equals({ ...standingJob, deduplicated: true });
    });
  });
}
