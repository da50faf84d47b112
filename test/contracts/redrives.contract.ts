import { expect } from 'chai';
import { Redrives } from '../../src/application/jobs/redrives.ts';
import type { RepairResult } from '../../src/application/jobs/bulk-repairs.ts';
import type { JobControlPort } from '../../src/application/ports/job-control-port.ts';
import { storeUnavailable } from '../../src/domain/errors.ts';
import type { Job } from '../../src/domain/jobs/job.ts';
import type { JobOptionsInput } from '../../src/domain/jobs/job-options.ts';
import type { RedriveInput } from '../../src/domain/jobs/redrive.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { clockOf } from '../support/clock-of.ts';
import { rejection } from '../support/rejection.ts';
import { unobserved } from '../support/unobserved.ts';
import { failingAfter } from './failing-control.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addOne,
  countsOf,
  HOUR,
  listPage,
  process,
  read,
  take,
  uniqueQueue,
} from './queue-steps.ts';

const GONE = new Error('gone');

/** How letters of dead letter queues come back on every store. */
export function describeRedrives(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`Redrives: ${name}`, () => {
    let harness: QueueHarness;
    let queue: QueueName;
    let dead: QueueName;

    before(async () => {
      harness = await createHarness();
    });
    after(() => harness.dispose());
    beforeEach(() => {
      [queue, dead] = [uniqueQueue(), uniqueQueue()];
    });

    function redrive(
      input: RedriveInput,
      {
        control = harness.jobControl,
        mayAdd = () => true,
        slept = [],
      }: {
        readonly control?: JobControlPort;
        readonly mayAdd?: (queue: string) => boolean;
        readonly slept?: number[];
      } = {},
    ): Promise<RepairResult> {
      const clock = {
        ...clockOf(harness.now),
        sleep: (ms: number) => {
          slept.push(Math.ceil(ms / 100) * 100);
          return Promise.resolve();
        },
      };
      const { queues, jobScan: scan } = harness;
      const redrives = new Redrives({ scan, queues, control, observer: unobserved, clock });
      return redrives.redrive(dead, input, mayAdd, () => new AbortController().signal);
    }

    /** Adds jobs that fail, of which letters are left. */
    async function letters(
      reasons: readonly string[],
      opts: JobOptionsInput = {},
      from = queue,
    ): Promise<readonly string[]> {
      const ids: string[] = [];
      for (const reason of reasons) {
        const callback = { queue: dead, as: 'job', on: ['failed'] } as const;
        ids.push((await addOne(harness.queues, from, { callback, ...opts }, reason)).id);
        await process(harness.attempts, from, { kind: 'failed', reason });
        await harness.advance(1);
      }
      return ids;
    }

    async function jobsIn(
      place: QueueName,
      ...statuses: ('waiting' | 'delayed' | 'failed')[]
    ): Promise<readonly Job[]> {
      const all =
        statuses.length === 0 ? (['waiting', 'prioritized', 'delayed'] as const) : statuses;
      return (await listPage(harness.queues, place, { statuses: all, start: 0, length: 1000 }))
        .jobs;
    }

    // holds: dead-letters.redrive
    it('bring letters back to where they came from, oldest first, up to a limit', async () => {
      await letters(['a', 'b', 'c']);
      expect(await redrive({ all: true, limit: 2 })).to.deep.equal({
        matched: 3,
        done: 2,
        remaining: 1,
      });
      const back = await jobsIn(queue);
      expect(back.map(({ data }) => data)).to.have.members(['a', 'b']);
      for (const { opts } of back) expect(opts).not.to.have.property('origin');
      expect((await jobsIn(dead)).map(({ data }) => data)).to.deep.equal(['c']);
      expect(await redrive({ all: true })).to.deep.equal({ matched: 1, done: 1, remaining: 0 });
      expect(await redrive({ all: true })).to.deep.equal({ matched: 0, done: 0, remaining: 0 });
      expect(await countsOf(harness.queues, queue)).to.include({ waiting: 3, failed: 3 });
    });

    // holds: dead-letters.redrive-options
    it('restore the options of the originals', async () => {
      const group = { id: 'a', cost: 2 };
      const options = {
        attempts: 3,
        delay: HOUR,
        backoff: { type: 'exponential', delay: 100 },
        removeOnFail: { age: 3600 },
        keepLogs: 3,
        ttl: 2 * HOUR,
        group,
      } as const;
      const { queues, attempts, jobControl } = harness;
      const callback = { queue: dead, as: 'job', on: ['failed'] } as const;
      const { id } = await addOne(queues, queue, { ...options, callback }, 'x');
      await jobControl.promote(queue, id);
      await process(attempts, queue, { kind: 'failed', reason: 'late' });
      expect(await redrive({ all: true })).to.include({ done: 1 });
      const [job] = await jobsIn(queue);
      expect(job).to.deep.include({
        opts: { ...options, callback },
        state: 'delayed',
        delay: HOUR,
      });
      expect(await countsOf(queues, dead)).to.include({ waiting: 0 });
    });

    // holds: dead-letters.redrive-options
    it('give a job the id of its original where that is free, or else a new one', async () => {
      const { jobControl } = harness;
      await letters(['taken'], { jobId: 'taken' });
      await letters(['free'], { jobId: 'free' });
      await jobControl.remove(queue, 'free');
      expect(await redrive({ all: true })).to.include({ done: 2, remaining: 0 });
      const back = (await jobsIn(queue)).map(({ id, data }) => [data, id === data]);
      expect(back).to.have.deep.members([
        ['taken', false],
        ['free', true],
      ]);
    });

    // holds: dead-letters.redrive-options
    it('leave a letter while another job stands for its deduplication id, which the original does not', async () => {
      const { queues, attempts } = harness;
      const done = { kind: 'completed', returnvalue: null } as const;
      await letters(['first'], { deduplication: { id: 'once', ttl: HOUR } });
      expect(await redrive({ all: true })).to.deep.equal({ matched: 1, done: 1, remaining: 0 });
      await process(attempts, queue, done);
      await letters(['second'], { deduplication: { id: 'twice' } });
      await addOne(queues, queue, { deduplication: { id: 'twice' } });
      for (let time = 0; time < 2; time += 1) {
        expect(await redrive({ all: true })).to.deep.equal({ matched: 1, done: 0, remaining: 1 });
      }
      await process(attempts, queue, done);
      expect(await redrive({ all: true })).to.deep.equal({ matched: 1, done: 1, remaining: 0 });
    });

    // holds: dead-letters.redrive
    it('take letters by the reason, cause, status and group of their originals', async () => {
      await letters(['Order 1 not found', 'HTTP 503 Busy']);
      await letters(['it broke'], { group: { id: 'a' } });
      for (const [filter, matched] of [
        [{ cause: 'Order # not found' }, 1],
        [{ reason: 'broke' }, 1],
        [{ status: 503 }, 1],
        [{ group: 'a' }, 1],
        [{ group: '' }, 2],
        [{ name: 'work' }, 3],
        [{ statuses: ['failed'] }, 0],
      ] as const) {
        const result = await redrive({ filter, dryRun: true });
        expect(result, JSON.stringify(filter)).to.include({ matched, done: 0, remaining: matched });
      }
      const [{ id } = { id: '' }] = await jobsIn(dead);
      expect(await redrive({ filter: { ids: [id, 'none'] } })).to.include({ matched: 1, done: 1 });
    });

    // holds: dead-letters.redrive
    it('take letters that failed in turn, and no job that is no letter', async () => {
      const { queues, attempts } = harness;
      await letters(['a']);
      await process(attempts, dead, { kind: 'failed', reason: 'again' });
      await addOne(queues, dead, {}, 'no letter');
      expect(await redrive({ all: true })).to.deep.equal({ matched: 1, done: 1, remaining: 0 });
      expect((await jobsIn(dead)).map(({ data }) => data)).to.deep.equal(['no letter']);
      expect(await jobsIn(dead, 'failed')).to.deep.equal([]);
    });

    // holds: dead-letters.redrive
    it('send letters of several queues to another one, or each back to its own', async () => {
      const [other, target] = [uniqueQueue(), uniqueQueue()];
      await letters(['a']);
      await letters(['b'], {}, other);
      expect(await redrive({ all: true, to: target, limit: 1 })).to.include({ done: 1 });
      expect(await redrive({ all: true })).to.include({ done: 1 });
      expect((await jobsIn(target)).map(({ data }) => data)).to.deep.equal(['a']);
      expect((await jobsIn(other)).map(({ data }) => data)).to.deep.equal(['b']);
      expect(await countsOf(harness.queues, queue)).to.include({ waiting: 0 });
    });

    // holds: dead-letters.redrive-rights
    it('leave letters that the caller may not add where they came from', async () => {
      const other = uniqueQueue();
      await letters(['a']);
      await letters(['b'], {}, other);
      const mayAdd = (each: string): boolean => each === queue;
      expect(await redrive({ all: true }, { mayAdd })).to.deep.equal({
        matched: 2,
        done: 1,
        remaining: 0,
        skipped: 1,
      });
      expect((await jobsIn(dead)).map(({ data }) => data)).to.deep.equal(['b']);
      const refused = await redrive({ all: true }, { mayAdd }).catch((error: unknown) => error);
      expect(refused).to.include({ code: 'forbidden' });
    });

    // holds: repair.interrupted, dead-letters.redrive-once
    it('return what is back when the store fails midway, and the rest comes once', async () => {
      await letters(['a', 'b', 'c']);
      const failing = failingAfter(1, storeUnavailable(GONE), harness.jobControl);
      const result = await redrive({ all: true }, { control: failing });
      expect(result).to.deep.equal({ matched: 3, done: 1, remaining: 2 });
      expect(await redrive({ all: true })).to.deep.equal({ matched: 2, done: 2, remaining: 0 });
      expect((await jobsIn(queue)).map(({ data }) => data)).to.have.members(['a', 'b', 'c']);
    });

    // holds: repair.interrupted, dead-letters.redrive-once
    it('say that letters may be back when their jobs are added and they are not removed', async () => {
      await letters(['a']);
      const failing = failingAfter(0, storeUnavailable(GONE), harness.jobControl);
      const failed = await rejection(redrive({ all: true }, { control: failing }));
      expect(failed).to.include({ code: 'store-unavailable', mayBeStored: true });
      expect(await redrive({ all: true })).to.include({ done: 1, remaining: 0 });
      expect(await jobsIn(queue)).to.have.length(1);
    });

    // holds: dead-letters.redrive-once
    it('add no letter twice when replicas do the same, or one dies before the letter is removed', async () => {
      await letters(['a', 'b', 'c']);
      const dying = new Proxy(harness.jobControl, {
        get: (target, method) =>
          method === 'removeAlone'
            ? () => Promise.reject(new Error('killed'))
            : (target[method as 'bringTogether'].bind(target) as unknown),
      });
      const killed = await redrive({ all: true }, { control: dying }).catch(
        (error: unknown) => error,
      );
      expect(killed).to.include({ message: 'killed' });
      expect(await jobsIn(dead)).to.have.length(3);
      const results = await Promise.all([redrive({ all: true }), redrive({ all: true })]);
      expect(results.reduce((sum, { done }) => sum + done, 0)).to.equal(3);
      expect((await jobsIn(queue)).map(({ data }) => data)).to.have.members(['a', 'b', 'c']);
      expect(await jobsIn(dead)).to.deep.equal([]);
    });

    // holds: dead-letters.redrive-rate
    it('keep to a rate', async () => {
      await letters(['a', 'b', 'c', 'd', 'e']);
      const slept: number[] = [];
      const rate = { max: 2, duration: 1000 };
      expect(await redrive({ all: true, rate }, { slept })).to.include({ done: 5, remaining: 0 });
      expect(slept).to.deep.equal([1000, 1000, 500]);
    });

    // holds: dead-letters.redrive
    it('are taken as any other job by a worker that is faster', async () => {
      await letters(['a']);
      const attempt = await take(harness.attempts, dead);
      expect(await redrive({ all: true })).to.deep.equal({ matched: 0, done: 0, remaining: 0 });
      expect((await read(harness.queues, dead, attempt.jobId)).state).to.equal('active');
    });
  });
}
