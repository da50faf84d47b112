import { expect } from 'chai';
import { MemorySignals } from '../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { workersInMemory } from '../support/collections.ts';
import { BulkRepairs } from '../../src/application/jobs/bulk-repairs.ts';
import type { JobControlPort } from '../../src/application/ports/job-control-port.ts';
import { JOB_STATUSES, type JobStatus } from '../../src/domain/jobs/job-status.ts';
import { storedOrNot, storeUnavailable } from '../../src/domain/errors.ts';
import { newJob } from '../../src/domain/jobs/job.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { failingAfter } from './failing-control.ts';
import { placedJob } from './job-control/placed-job.ts';
import { addMany, failMany, MANY } from './job-scan/scan-steps.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addOne,
  countsOf,
  HOUR,
  listed,
  NO_JOBS,
  process,
  read,
  takenIds,
  uniqueQueue,
} from './queue-steps.ts';
import { clockOf } from '../support/clock-of.ts';
import { rejection } from '../support/rejection.ts';
import { unobserved } from '../support/unobserved.ts';

const GONE = new Error('gone');

/** What bulk repairs do on every store. */
export function describeBulkRepairs(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`Bulk repairs: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    const repairs = (control: JobControlPort = harness.jobControl): BulkRepairs => {
      const clock = clockOf(harness.now);
      const { jobScan } = harness;
      return new BulkRepairs({
        scan: jobScan,
        control,
        workers: workersInMemory(),
        signals: new MemorySignals(),
        observer: unobserved,
        clock,
      });
    };

    const placeEach = async (queue: QueueName): Promise<Record<JobStatus, string>> => {
      const ids: Partial<Record<JobStatus, string>> = {};
      const order = ['failed', 'completed', 'active', 'waiting', 'prioritized', 'delayed'] as const;
      for (const state of order) ids[state] = await placedJob(harness, queue, state);
      return ids as Record<JobStatus, string>;
    };

    for (const [kind, left] of [
      ['retry', { ...NO_JOBS, waiting: 2, active: 1, prioritized: 1, delayed: 1, completed: 1 }],
      ['promote', { ...NO_JOBS, waiting: 2, active: 1, prioritized: 1, completed: 1, failed: 1 }],
      ['clean', { ...NO_JOBS, waiting: 1, active: 1, prioritized: 1, delayed: 1 }],
      ['cancel', { ...NO_JOBS, completed: 1, failed: 5 }],
    ] as const) {
      // holds: repair.all
      it(`does to all jobs what they are meant for: ${kind}`, async () => {
        const queue = uniqueQueue();
        await placeEach(queue);
        const changed = { retry: 1, promote: 1, clean: 2, cancel: 4 }[kind];
        expect(await repairs().repair(queue, kind, { all: true })).to.deep.equal({
          matched: changed,
          done: changed,
          remaining: 0,
        });
        expect(await countsOf(harness.queues, queue)).to.deep.equal(left);
      });
    }

    // holds: repair.filter
    it('takes jobs in every state that allows it when the filter names states or ids', async () => {
      const queue = uniqueQueue();
      const ids = await placeEach(queue);
      const statuses = ['active', 'waiting', 'completed'] as const;
      expect(await repairs().repair(queue, 'clean', { filter: { statuses } })).to.include({
        matched: 2,
        done: 2,
      });
      expect(await listed(harness.queues, queue, ...JOB_STATUSES)).to.deep.equal([
        ids.active,
        ids.prioritized,
        ids.delayed,
        ids.failed,
      ]);
      const filter = { ids: [ids.active, ids.delayed, ids.delayed, 'none', 'meta'] };
      expect(await repairs().repair(queue, 'clean', { filter })).to.include({
        matched: 1,
        done: 1,
      });
      expect(await repairs().repair(queue, 'cancel', { filter })).to.include({ done: 1 });
      expect((await read(harness.queues, queue, ids.active)).failedReason).to.equal('Cancelled');
    });

    // holds: repair.filter
    it('takes jobs by name, cause, reason, status and time', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      for (const [name, reason] of [
        ['mail', 'Order 1 not found'],
        ['mail', 'Order 2 not found'],
        ['sms', 'HTTP 503 Busy'],
      ] as const) {
        await queues.add(queue, [newJob({ name, data: 1 }, '')]);
        await harness.advance(1000);
        await process(attempts, queue, { kind: 'failed', reason });
      }
      const { timestamp } = await read(queues, queue, '1');
      for (const [filter, matched] of [
        [{ name: 'mail' }, 2],
        [{ cause: 'Order # not found' }, 2],
        [{ cause: 'Order # not found', reason: '2' }, 1],
        [{ status: 503 }, 1],
        [{ from: timestamp + 1000 }, 2],
        [{ to: timestamp }, 1],
        [{ name: 'sms', to: timestamp }, 0],
        [{ ids: [] }, 0],
      ] as const) {
        const result = await repairs().repair(queue, 'retry', { filter, dryRun: true });
        expect(result, JSON.stringify(filter)).to.include({ matched, done: 0, remaining: matched });
      }
      for (const [olderThan, matched] of [
        [0, 3],
        [1000, 2],
        [2000, 1],
        [2001, 0],
      ] as const) {
        const result = await repairs().repair(queue, 'clean', {
          all: true,
          olderThan,
          dryRun: true,
        });
        expect(result, String(olderThan)).to.include({ matched });
      }
    });

    // holds: repair.limit
    it('begins with the oldest, keeps their order and returns what remains', async () => {
      const queue = uniqueQueue();
      const ids = await failMany(harness, queue);
      const one = { ids: ids.slice(0, 3) };
      await repairs().repair(queue, 'retry', { filter: one });
      expect(await takenIds(harness.attempts, queue)).to.have.members(one.ids);
      expect(await repairs().repair(queue, 'retry', { all: true, limit: 100 })).to.deep.equal({
        matched: MANY - 3,
        done: 100,
        remaining: MANY - 103,
      });
      expect(await repairs().repair(queue, 'clean', { all: true, limit: 10_000 })).to.deep.equal({
        matched: MANY - 103,
        done: MANY - 103,
        remaining: 0,
      });
      expect(await countsOf(harness.queues, queue)).to.include({ failed: 0, waiting: 100 });
    });

    // holds: repair.limit
    it('lets the job that failed first start first', async () => {
      const { queues, attempts, advance } = harness;
      const queue = uniqueQueue();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        ids.push((await addOne(queues, queue)).id);
        await advance(10);
        await process(attempts, queue, { kind: 'failed', reason: 'it broke' });
      }
      await repairs().repair(queue, 'retry', { all: true, limit: 2 });
      expect(await takenIds(attempts, queue)).to.deep.equal(ids.slice(0, 2));
    });

    // holds: repair.dry-run
    it('changes nothing in a dry run', async () => {
      const queue = uniqueQueue();
      const ids = await addMany(harness, queue, 12, { delay: HOUR });
      expect(await repairs().repair(queue, 'promote', { all: true, dryRun: true })).to.deep.equal({
        matched: 12,
        done: 0,
        remaining: 12,
        samples: ids.slice(0, 10),
      });
      expect(await countsOf(harness.queues, queue)).to.include({ delayed: 12 });
    });

    // holds: repair.skipped
    it('skips what changed its state meanwhile', async () => {
      const queue = uniqueQueue();
      const ids = await addMany(harness, queue, 5, { delay: HOUR });
      const other = await harness.replica();
      const control = new Proxy(harness.jobControl, {
        get: (target, method) => async (name: QueueName, id: string, within?: never) => {
          if (id === ids[1]) await other.jobControl.promote(name, id);
          if (id === ids[3]) await other.jobControl.remove(name, id);
          return target[method as 'removeAlone'](name, id, within);
        },
      });
      const filter = { statuses: ['delayed'] } as const;
      expect(await repairs(control).repair(queue, 'clean', { filter })).to.deep.equal({
        matched: 5,
        done: 3,
        remaining: 0,
      });
      expect(await listed(harness.queues, queue, 'waiting')).to.deep.equal([ids[1]]);
    });

    // holds: repair.skipped
    it('is done once by two replicas together', async () => {
      const queue = uniqueQueue();
      await addMany(harness, queue, 300, { delay: HOUR });
      const results = await Promise.all(
        [1, 2].map(() => repairs().repair(queue, 'promote', { all: true })),
      );
      expect(results.reduce((sum, { done }) => sum + done, 0)).to.equal(300);
      expect(await countsOf(harness.queues, queue)).to.include({ waiting: 300, delayed: 0 });
    });

    // holds: repair.interrupted
    it('returns what is done and what remains when the store fails midway', async () => {
      const queue = uniqueQueue();
      await addMany(harness, queue, 120, { delay: HOUR });
      const failing = failingAfter(70, storeUnavailable(GONE), harness.jobControl);
      const result = await repairs(failing).repair(queue, 'promote', { all: true });
      expect(result).to.deep.equal({ matched: 120, done: 70, remaining: 50 });
      expect(await countsOf(harness.queues, queue)).to.include({ waiting: 70, delayed: 50 });
      const rest = await repairs().repair(queue, 'promote', { all: true });
      expect(rest).to.deep.equal({ matched: 50, done: 50, remaining: 0 });
    });

    for (const error of [storeUnavailable(GONE), storedOrNot(GONE)]) {
      // holds: repair.interrupted
      it(`fails as the store does before anything is done: ${error.message}`, async () => {
        const queue = uniqueQueue();
        await addMany(harness, queue, 60);
        const failing = failingAfter(0, error, harness.jobControl);
        const failed = await rejection(repairs(failing).repair(queue, 'cancel', { all: true }));
        expect(failed).to.equal(error);
        expect(await countsOf(harness.queues, queue)).to.include({ waiting: 60, failed: 0 });
      });
    }

    // holds: repair.interrupted
    it('says that something may be done when that is not known of one job', async () => {
      const queue = uniqueQueue();
      const [, second] = await addMany(harness, queue, 3, { delay: HOUR });
      const control = new Proxy(harness.jobControl, {
        get: () => (_: QueueName, id: string) =>
          Promise.reject(id === second ? storedOrNot(GONE) : storeUnavailable(GONE)),
      });
      const failed = await rejection(repairs(control).repair(queue, 'promote', { all: true }));
      expect(failed).to.include({ code: 'store-unavailable', mayBeStored: true });
    });

    // holds: repair.no-queue
    it('does nothing to a queue that does not exist', async () => {
      const queue = uniqueQueue();
      for (const kind of ['retry', 'promote', 'clean', 'cancel'] as const) {
        const result = await repairs().repair(queue, kind, { all: true });
        expect(result).to.deep.equal({ matched: 0, done: 0, remaining: 0 });
      }
      expect(await harness.queueDirectory.glances([queue])).to.deep.equal([undefined]);
    });
  });
}
