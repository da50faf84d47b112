import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import {
  MAX_SCHEDULERS,
  newScheduler,
  type Overlap,
  type Repeat,
  type SchedulerInput,
  type StoredScheduler,
} from '../../../src/domain/schedulers/scheduler.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  findStalled,
  HOUR,
  jobOf,
  listed,
  process,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  takeAll,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

const PERIOD = 1000;
const EVERY = { every: PERIOD };
const ID = 'report';

/** What a scheduler makes of a slot that comes while the job before it has not ended. */
export function describeOverlaps(given: () => QueueHarness): void {
  describe('when the job before has not ended', () => {
    let harness: QueueHarness;
    let queue: QueueName;

    beforeEach(() => {
      harness = given();
      queue = uniqueQueue();
    });

    const save = async (
      opts: SchedulerInput['job']['opts'] = {},
      repeat: Repeat = EVERY,
      overlap: Overlap = 'skip',
    ): Promise<void> => {
      const job = { name: 'work', data: null, opts: { attempts: 3, ...opts } };
      const scheduler = newScheduler(ID, { repeat, job, overlap });
      await harness.schedulers.save(queue, ID, scheduler, MAX_SCHEDULERS);
    };

    const find = async (): Promise<StoredScheduler> => {
      const found = await harness.schedulers.find(queue, ID);
      if (found === undefined) throw new Error('There is no scheduler');
      return found;
    };

    const slot = async (): Promise<number> => (await find()).planned?.slot ?? Number.NaN;

    const jobOfSlot = (at: number): string => `repeat:${ID}:${at}`;

    // holds: schedulers.overlap
    it('makes a job all the same unless it is to skip', async () => {
      await save({}, EVERY, 'allow');
      await take(harness.attempts, queue);
      await harness.advance(PERIOD);
      await take(harness.attempts, queue);
      expect(await countsOf(harness.queues, queue)).to.include({ active: 2, delayed: 1 });
    });

    // holds: schedulers.overlap
    it('skips slot after slot, and goes on once that has ended', async () => {
      const { attempts, queues } = harness;
      await save();
      expect((await find()).overlap).to.equal('skip');
      const first = await slot();
      const attempt = await take(attempts, queue);
      for (let n = 1; n <= 3; n += 1) {
        expect(await slot()).to.equal(first + n * PERIOD);
        await harness.advance(PERIOD);
        expect(await takenIds(attempts, queue)).to.deep.equal([]);
        expect(await countsOf(queues, queue)).to.include({ active: 1, waiting: 0, delayed: 1 });
      }
      expect((await find()).last).to.deep.include({ at: first, state: 'active' });
      await attempts.settle(queue, attempt, COMPLETED);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      await harness.advance(PERIOD);
      const { job } = await take(attempts, queue);
      expect(job).to.include({ id: jobOfSlot(first + 4 * PERIOD), attemptsStarted: 1 });
      expect(await listed(queues, queue, 'delayed')).to.deep.equal([jobOfSlot(first + 5 * PERIOD)]);
    });

    for (const [state, ending, opts] of [
      ['waits', retryAfter(0), {}],
      ['waits with a priority', retryAfter(0), { priority: 5 }],
      ['is delayed', retryAfter(HOUR), {}],
    ] as const) {
      // holds: schedulers.overlap
      it(`skips while it ${state} for another attempt`, async () => {
        const { attempts } = harness;
        await save(opts);
        const first = await slot();
        await process(attempts, queue, ending);
        await harness.advance(PERIOD);
        const again = state === 'is delayed' ? [] : [jobOfSlot(first)];
        expect(await takenIds(attempts, queue)).to.deep.equal(again);
        expect(await slot()).to.equal(first + 2 * PERIOD);
      });
    }

    // holds: schedulers.overlap
    it('skips while the job of a removed scheduler with the same id runs', async () => {
      const { attempts, schedulers } = harness;
      await save();
      await schedulers.remove(queue, ID);
      const attempt = await take(attempts, queue);
      await save();
      await harness.advance(PERIOD);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      await attempts.settle(queue, attempt, COMPLETED);
      await harness.advance(PERIOD);
      expect(await takenIds(attempts, queue)).to.have.lengthOf(1);
    });

    // holds: schedulers.overlap
    it('skips while it is put back, and when it was found stalled', async () => {
      const { attempts } = harness;
      await save();
      const first = await slot();
      await attempts.release(queue, await take(attempts, queue));
      await harness.advance(PERIOD);
      await take(attempts, queue, SHORTLY);
      await harness.advance(SOON);
      expect(await findStalled(harness, queue)).to.deep.equal([jobOfSlot(first)]);
      await harness.advance(PERIOD);
      expect(await takenIds(attempts, queue)).to.deep.equal([jobOfSlot(first)]);
    });

    // holds: states.stalled-too-often
    it('fails a job that stalls too often, as any other', async () => {
      const { attempts } = harness;
      await save();
      const first = await slot();
      for (const stalls of [1, 2]) {
        await take(attempts, queue, SHORTLY);
        await harness.advance(SOON);
        await attempts.recoverStalled(queue, 1);
        await harness.advance(SOON);
        const { stalled } = await attempts.recoverStalled(queue, 1);
        expect(stalled, `stall ${stalls}`).to.deep.equal([jobOfSlot(first)]);
      }
      // The next claim finds a job that must fail.
      const failed = await take(attempts, queue, SHORTLY);
      expect([failed.jobId, failed.mustFail]).to.deep.equal([
        jobOfSlot(first),
        'job stalled more than allowable limit',
      ]);
    });

    for (const ending of [COMPLETED, FAILED] as const) {
      for (const keep of [true, false]) {
        // holds: schedulers.overlap
        it(`skips what came meanwhile, also when nobody asked: ${ending.kind}, kept: ${keep}`, async () => {
          const { attempts } = harness;
          await save({ removeOnComplete: !keep, removeOnFail: !keep });
          const first = await slot();
          const attempt = await take(attempts, queue);
          await harness.advance(1.5 * PERIOD);
          const settled = await attempts.settle(queue, attempt, ending, claimOf(ANY));
          expect(settled.next?.kind).to.equal('idle');
          expect(await takenIds(attempts, queue)).to.deep.equal([]);
          expect(await slot()).to.equal(first + 2 * PERIOD);
          await harness.advance(PERIOD);
          expect(await takenIds(attempts, queue)).to.deep.equal([jobOfSlot(first + 2 * PERIOD)]);
        });
      }
    }

    // holds: schedulers.overlap
    it('skips when it is asked for the next job as that is to be tried again', async () => {
      const { attempts } = harness;
      await save();
      const first = await slot();
      const attempt = await take(attempts, queue);
      await harness.advance(PERIOD);
      const ending: AttemptEnding = retryAfter(HOUR);
      const { next } = await attempts.settle(queue, attempt, ending, claimOf(ANY));
      expect(next?.kind).to.equal('idle');
      expect(await slot()).to.equal(first + 2 * PERIOD);
    });

    // holds: schedulers.overlap
    it('gives the other jobs of the queue away meanwhile', async () => {
      const { attempts, queues } = harness;
      await save();
      await take(attempts, queue);
      await harness.advance(PERIOD);
      await queues.add(queue, [jobOf(), jobOf()]);
      expect(await takenIds(attempts, queue)).to.deep.equal(['1', '2']);
      await harness.advance(PERIOD);
      await queues.add(queue, [jobOf()]);
      const limited = { ...ANY, limiter: { max: 5, duration: HOUR } };
      expect((await take(attempts, queue, limited)).jobId).to.equal('3');
    });

    // holds: schedulers.overlap
    it('does not count skipped slots for the limit, and ends with its end', async () => {
      const { attempts } = harness;
      const endDate = harness.now() + 4.5 * PERIOD;
      await save({}, { ...EVERY, limit: 2, endDate });
      const attempt = await take(attempts, queue);
      await harness.advance(PERIOD);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      expect((await find()).planned?.count).to.equal(2);
      for (let n = 0; n < 3; n += 1) {
        await harness.advance(PERIOD);
        expect(await takenIds(attempts, queue)).to.deep.equal([]);
      }
      expect(await find()).not.to.have.property('planned');
      await attempts.settle(queue, attempt, COMPLETED);
      expect(await countsOf(harness.queues, queue)).to.include({ delayed: 0, waiting: 0 });
    });

    // holds: schedulers.overlap
    it('skips also when the scheduler was stored again, and its next job cancelled', async () => {
      const { attempts, jobControl } = harness;
      await save();
      const first = await slot();
      const attempt = await take(attempts, queue);
      await save();
      await jobControl.cancel(queue, jobOfSlot(await slot()), { reason: 'not this time' });
      expect((await find()).last).to.deep.include({ at: first });
      await harness.advance(2 * PERIOD);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      await save({}, { pattern: '* * * * * *', immediately: true });
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      await jobControl.cancel(queue, attempt.jobId, { reason: 'too long' });
      await harness.advance(PERIOD);
      expect(await takenIds(attempts, queue)).to.have.length(1);
    });

    // holds: schedulers.overlap
    it('skips a job that was due when the scheduler was paused', async () => {
      const { attempts, jobControl, schedulers } = harness;
      await save();
      const attempt = await take(attempts, queue);
      await jobControl.promote(queue, jobOfSlot(await slot()));
      await schedulers.pause(queue, ID);
      expect(await takenIds(attempts, queue)).to.deep.equal([]);
      expect(await countsOf(harness.queues, queue)).to.include({ delayed: 0, waiting: 0 });
      await attempts.settle(queue, attempt, COMPLETED);
    });

    // holds: schedulers.overlap
    it('lets an older job run that is retried by hand', async () => {
      const { attempts, jobControl } = harness;
      await save();
      const old = await process(attempts, queue, FAILED);
      await harness.advance(PERIOD);
      const { jobId } = await take(attempts, queue);
      expect(jobId).not.to.equal(old);
      await jobControl.retry(queue, old, {});
      const [again] = await takeAll(attempts, queue);
      expect(again?.jobId).to.equal(old);
      expect((await find()).last?.jobId).to.equal(jobId);
      await jobControl.cancel(queue, jobId, { reason: 'done' });
      await harness.advance(PERIOD);
      // The older one runs still.
      expect(await takenIds(attempts, queue)).to.have.length(1);
    });

    // holds: schedulers.overlap
    it('skips once on three replicas that take jobs at once', async () => {
      const replicas = [harness, await harness.replica(), await harness.replica()];
      await save();
      const first = await slot();
      const attempt = await take(harness.attempts, queue);
      for (let n = 1; n <= 5; n += 1) {
        await harness.advance(PERIOD);
        const taken = await Promise.all(
          [...replicas, ...replicas].map(({ attempts }) => takenIds(attempts, queue)),
        );
        expect(taken.flat()).to.deep.equal([]);
        expect(await listed(harness.queues, queue, 'delayed', 'waiting')).to.deep.equal([
          jobOfSlot(first + (n + 1) * PERIOD),
        ]);
      }
      await harness.attempts.settle(queue, attempt, COMPLETED);
    });
  });
}
