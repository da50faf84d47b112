import { holdsNoJob } from '../../../src/domain/jobs/job-status.ts';
import { expect } from 'chai';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { workersInMemory } from '../../support/collections.ts';
import { BulkRepairs } from '../../../src/application/jobs/bulk-repairs.ts';
import type { FailureRule } from '../../../src/domain/flows/flow.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { ANY, claimOf, countsOf, HOUR, NO_JOBS, process, take } from '../queue-steps.ts';
import { FlowSteps } from './flow-steps.ts';
import { clockOf } from '../../support/clock-of.ts';
import { unobserved } from '../../support/unobserved.ts';

/** What becomes of parents and children when jobs go, one or many at a time. */
export function describeGoingFamilies(harness: () => QueueHarness): void {
  let steps: FlowSteps;

  beforeEach(() => {
    steps = new FlowSteps(harness());
  });

  const holdsJobs = async (queue: typeof steps.above): Promise<boolean> =>
    !holdsNoJob((await harness().queues.summary(queue)).counts);

  describe('removing parents and children', () => {
    // holds: flows.remove
    it('removes a parent with all that is below it, however many', async () => {
      const { above, below } = steps;
      const leaves = Array.from({ length: 150 }, () => ({ queue: below, name: 'leaf', data: 1 }));
      const jobs = await steps.added([
        { children: leaves },
        { opts: { delay: 60_000 }, children: leaves.slice(0, 50) },
        { opts: { priority: 3 } },
        {},
      ]);
      await steps.complete();
      await steps.fail();
      expect(await harness().jobControl.remove(above, jobs[0]!.id)).to.deep.equal({ kind: 'done' });
      expect(new Set(await steps.statesOf(jobs))).to.deep.equal(new Set([undefined]));
      for (const queue of [above, below]) {
        expect(await holdsJobs(queue)).to.equal(false);
        expect(await steps.isIdle(queue)).to.equal(true);
      }
      expect(await harness().jobControl.remove(above, jobs[0]!.id)).to.deep.equal({
        kind: 'missing',
      });
    });

    // holds: flows.remove
    it('removes nothing of many while one of them is active', async () => {
      const { above, below } = steps;
      const jobs = await steps.added(Array.from({ length: 200 }, () => ({})));
      await take(harness().attempts, below);
      expect(await harness().jobControl.remove(above, jobs[0]!.id)).to.deep.equal({
        kind: 'needed',
        by: 'attempt',
      });
      expect(await countsOf(harness().queues, below)).to.include({ active: 1, waiting: 199 });
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting-children');
    });

    // holds: flows.remove
    it('lets the parent of a large family start that waited for it alone', async () => {
      const { above, below } = steps;
      const many = Array.from({ length: 150 }, () => ({ queue: below, name: 'leaf', data: 1 }));
      const jobs = await steps.added([{ children: many }]);
      await harness().jobControl.remove(below, jobs[1]!.id);
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting');
      expect(await holdsJobs(below)).to.equal(false);
      expect((await take(harness().attempts, above)).children ?? []).to.deep.equal([]);
    });

    // holds: flows.gone
    it('starts a parent as its options say when the last child that it waited for goes', async () => {
      const jobs = [
        await steps.added([{}], { opts: { delay: 60_000 } }),
        await steps.added([{}], { opts: { priority: 7 } }),
      ];
      for (const [, child] of jobs) await harness().jobControl.remove(steps.below, child!.id);
      expect(await steps.statesOf(jobs.map(([parent]) => parent!))).to.deep.equal([
        ...['delayed', 'prioritized'],
      ]);
    });

    // holds: flows.gone
    it('counts the delay of the parent from the removal, by the clock of its replica', async () => {
      await harness().advance(HOUR);
      const [, child] = await steps.added([{}], { opts: { delay: 60_000 } });
      await harness().jobControl.remove(steps.below, child!.id);
      expect(await steps.isIdle()).to.equal(true);
      await harness().advance(60_000);
      expect(await steps.isIdle()).to.equal(false);
    });
  });

  describe('draining a queue of children', () => {
    // holds: flows.drain
    it('lets parents in other queues start, as their options say', async () => {
      const waiting = await steps.added([{}, { opts: { priority: 1 } }]);
      const delayed = await steps.added([{}], { opts: { delay: 60_000 } });
      const held = await steps.added([{}, { opts: { delay: 60_000 } }]);
      expect(await harness().queueControl.drain(steps.below, {})).to.equal(4);
      const parents = [waiting, delayed, held].map(([parent]) => parent!);
      expect(await steps.statesOf(parents)).to.deep.equal([
        ...['waiting', 'delayed', 'waiting-children'],
      ]);
      expect(await harness().queueControl.drain(steps.below, { delayed: true })).to.equal(1);
      expect(await steps.stateOf(held[0]!)).to.equal('waiting');
      expect(await holdsJobs(steps.below)).to.equal(false);
    });

    // holds: flows.drain
    it('removes parents in the same queue that wait for nothing else, and counts them', async () => {
      const { above } = steps;
      const here = { queue: above };
      const jobs = await steps.added([
        here,
        { ...here, children: [{ ...here, name: 'deep', data: 1 }] },
      ]);
      const mixed = await steps.added([here, {}]);
      expect(await harness().queueControl.drain(above, {})).to.equal(5);
      expect(await steps.statesOf(jobs)).to.deep.equal(jobs.map(() => undefined));
      expect(await steps.statesOf(mixed)).to.deep.equal([
        ...['waiting-children', undefined, 'waiting'],
      ]);
      await steps.complete();
      expect((await take(harness().attempts, above)).jobId).to.equal(mixed[0]!.id);
    });
  });

  describe('removing a queue', () => {
    // holds: flows.gone
    it('of children lets their parents elsewhere start, whatever became of the children', async () => {
      const waiting = await steps.added([{}, { opts: { delay: 60_000 } }]);
      const failed = await steps.added([{}]);
      await process(harness().attempts, steps.below, { kind: 'failed', reason: 'no' });
      const active = await steps.added([{}]);
      const { attempts, queueControl } = harness();
      await take(attempts, steps.below);
      const removal = await queueControl.remove(steps.below, true);
      expect(removal).to.deep.equal({ kind: 'removed', jobs: 4, schedulers: 0 });
      const parents = [waiting, failed, active].map(([parent]) => parent!);
      expect(await steps.statesOf(parents)).to.deep.equal(['waiting', 'waiting', 'waiting']);
      const taken = new Set<string>();
      for (let n = 0; n < 3; n += 1) taken.add((await take(attempts, steps.above)).jobId);
      expect(taken.size).to.equal(3);
      expect(await steps.isIdle()).to.equal(true);
    });

    // holds: flows.gone
    it('of parents counts them, and lets their children go on alone', async () => {
      const jobs = await steps.added([{}, { queue: steps.above }]);
      const removal = await harness().queueControl.remove(steps.above, false);
      expect(removal).to.deep.equal({ kind: 'removed', jobs: 2, schedulers: 0 });
      expect(await steps.statesOf(jobs)).to.deep.equal([undefined, 'waiting', undefined]);
      await steps.complete();
      expect(await holdsJobs(steps.above)).to.equal(false);
    });
  });

  describe('removing children of several parents', () => {
    for (const [how, removed] of [
      ['by draining', () => harness().queueControl.drain(steps.below, {})],
      ['with their queue', () => harness().queueControl.remove(steps.below, false)],
    ] as const) {
      it(`lets the parents start in the same order on every store: ${how}`, async () => {
        const [late] = await steps.added([{ opts: { priority: 2 } }]);
        const [next] = await steps.added([{}]);
        const [soon] = await steps.added([{ opts: { priority: 1 } }]);
        await removed();
        const taken: string[] = [];
        for (let n = 0; n < 3; n += 1) {
          taken.push((await take(harness().attempts, steps.above)).jobId);
        }
        expect(taken).to.deep.equal([soon!.id, late!.id, next!.id]);
      });
    }
  });

  describe('a child that expires', () => {
    for (const [rule, parent] of [
      ['wait', 'waiting-children'],
      ['fail', 'waiting'],
      ['continue', 'waiting'],
      ['ignore', 'waiting-children'],
    ] as const satisfies readonly (readonly [FailureRule, string])[]) {
      // holds: flows.expiry
      it(`does to its parent what its failure does: ${rule}`, async () => {
        const jobs = await steps.added([{ opts: { ttl: 20 }, onChildFailure: rule }, {}]);
        await harness().advance(40);
        while (!(await harness().expiry.expireDue()).isDone);
        expect(await steps.statesOf(jobs.slice(0, 2))).to.deep.equal([parent, 'failed']);
        await steps.complete();
        if (rule === 'wait') return;
        const { mustFail, children } = await take(harness().attempts, steps.above);
        if (rule === 'fail') expect(mustFail).to.match(/ failed$/);
        else expect(children?.map(({ state }) => state)).to.deep.equal(['failed', 'completed']);
      });
    }

    // holds: flows.expiry, flows.gone
    it('does so also when a claim finds it, and when it does not stay', async () => {
      const first = await steps.added([{ opts: { ttl: 20 }, onChildFailure: 'ignore' }]);
      const second = await steps.added([{ opts: { ttl: 20, removeOnFail: true } }]);
      await harness().advance(40);
      await harness().attempts.claim(steps.below, claimOf(ANY));
      await harness().attempts.claim(steps.below, claimOf(ANY));
      expect(await steps.statesOf([first[0]!, second[0]!])).to.deep.equal(['waiting', 'waiting']);
      expect(await countsOf(harness().queues, steps.below)).to.deep.equal({
        ...NO_JOBS,
        failed: 1,
      });
    });
  });

  describe('a child that does not stay', () => {
    // holds: flows.gone
    it('is not waited for any more when it failed and goes', async () => {
      const [parent] = await steps.added([{ opts: { removeOnFail: true } }]);
      await steps.fail();
      expect(await steps.stateOf(parent!)).to.equal('waiting');
    });

    // holds: flows.gone
    it('is not waited for any more when another one that failed takes its place', async () => {
      const [first] = await steps.added([{}]);
      const [second] = await steps.added([{}]);
      const keep = { count: 1 };
      for (let n = 0; n < 2; n += 1) {
        await harness().advance(5);
        await process(harness().attempts, steps.below, { kind: 'failed', reason: 'no', keep });
      }
      expect(await steps.statesOf([first!, second!])).to.deep.equal([
        'waiting',
        'waiting-children',
      ]);
    });

    for (const onChildFailure of ['fail', 'continue', 'ignore'] as const) {
      // holds: flows.retention
      it(`has done to its parent what its failure does before it goes: ${onChildFailure}`, async () => {
        const opts = { removeOnFail: true };
        const [parent] = await steps.added([{ opts, onChildFailure }]);
        await steps.fail();
        const attempt = await take(harness().attempts, steps.above);
        expect(attempt.jobId).to.equal(parent!.id);
        expect(attempt.mustFail !== undefined).to.equal(onChildFailure === 'fail');
      });
    }
  });

  describe('bulk repairs of parents and children', () => {
    const repairs = (): BulkRepairs => {
      const { jobScan, jobControl, now } = harness();
      const clock = clockOf(now);
      return new BulkRepairs({
        scan: jobScan,
        control: jobControl,
        workers: workersInMemory(),
        signals: new MemorySignals(),
        observer: unobserved,
        clock,
      });
    };

    // holds: flows.bulk
    it('clean what they found and nothing below it, and count it once', async () => {
      const { above, below } = steps;
      const jobs = await steps.added([{ queue: above }, { onChildFailure: 'continue' }, {}]);
      await steps.complete(above);
      await steps.fail(below);
      await steps.complete(above);
      expect(await repairs().repair(above, 'clean', { all: true })).to.deep.equal({
        matched: 2,
        done: 2,
        remaining: 0,
      });
      expect(await steps.statesOf(jobs)).to.deep.equal([
        ...[undefined, undefined, 'failed', 'waiting'],
      ]);
      await steps.complete(below);
      expect(await holdsJobs(above)).to.equal(false);
    });

    // holds: flows.bulk, flows.gone
    it('let a parent start whose failed child they clean', async () => {
      const jobs = await steps.added([{}]);
      await steps.fail();
      expect(await repairs().repair(steps.below, 'clean', { all: true })).to.include({ done: 1 });
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting');
    });

    // holds: flows.bulk
    it('retry failed children and parents, which wait for them again', async () => {
      const here = { queue: steps.above, onChildFailure: 'fail' } as const;
      const jobs = await steps.added([here, here]);
      await steps.fail(steps.above);
      await harness().advance(5);
      // The parent is at the head of the queue by now.
      await steps.fail(steps.above);
      await harness().advance(5);
      await steps.fail(steps.above);
      expect(await steps.statesOf(jobs)).to.deep.equal(['failed', 'failed', 'failed']);
      expect(await repairs().repair(steps.above, 'retry', { all: true })).to.deep.equal({
        matched: 3,
        done: 3,
        remaining: 0,
      });
      const taken = [await steps.complete(steps.above), await steps.complete(steps.above)];
      const last = await take(harness().attempts, steps.above);
      expect([...taken, last].map(({ jobId }) => jobId)).to.have.members(jobs.map(({ id }) => id));
      expect(await steps.isIdle()).to.equal(true);
    });

    // holds: flows.bulk
    it('cancel children, and their parents as these say', async () => {
      const ignored = await steps.added([
        { onChildFailure: 'ignore' },
        { onChildFailure: 'ignore' },
      ]);
      const waiting = await steps.added([{}]);
      expect(await repairs().repair(steps.below, 'cancel', { all: true })).to.include({ done: 3 });
      const parents = [ignored[0]!, waiting[0]!];
      expect(await steps.statesOf(parents)).to.deep.equal(['waiting', 'waiting-children']);
      expect(await repairs().repair(steps.above, 'cancel', { all: true })).to.deep.equal({
        matched: 2,
        done: 2,
        remaining: 0,
      });
      expect(await steps.statesOf(parents)).to.deep.equal(['failed', 'failed']);
    });
  });
}
