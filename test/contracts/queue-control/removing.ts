import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  HOUR,
  jobOf,
  listPage,
  NO_JOBS,
  pausedIn,
  process,
  read,
  retryAfter,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

/** More than any store removes in one step. */
const MANY = 2500;

const MISSING = { kind: 'missing' } as const;
const NEVER = new AbortController().signal;

function removed(jobs: number): object {
  return { kind: 'removed', jobs, schedulers: 0 };
}

async function isThere({ queueDirectory }: QueueReplica, queue: QueueName): Promise<boolean> {
  const isListed = (await queueDirectory.names()).includes(queue);
  const [glance] = await queueDirectory.glances([queue]);
  expect(glance !== undefined).to.equal(isListed);
  return isListed;
}

export function describeRemovingQueues(harness: () => QueueHarness, store: string): void {
  describe('removing a queue', () => {
    // holds: queues.remove
    it('removes all of its jobs, and the queue, for all replicas', async () => {
      const { queues, queueControl, attempts } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      await process(attempts, queue, COMPLETED);
      await process(attempts, queue, FAILED);
      await process(attempts, queue, retryAfter(HOUR));
      await addEach(queues, queue, {}, { lifo: true }, { priority: 3 }, { delay: HOUR });
      expect(await queueControl.remove(queue, false)).to.deep.equal(removed(7));
      for (const replica of [harness(), other]) {
        expect(await isThere(replica, queue)).to.equal(false);
        expect(await countsOf(replica.queues, queue)).to.deep.equal(NO_JOBS);
        expect(await replica.queues.find(queue, '1')).to.equal(undefined);
      }
      expect(await queueControl.remove(queue, false)).to.deep.equal(MISSING);
    });

    // holds: queues.remove
    it('removes a queue without jobs, and finds none where nobody made one', async () => {
      const { queueControl, attempts } = harness();
      const queue = uniqueQueue();
      await attempts.claim(queue, claimOf(ANY));
      expect(await queueControl.remove(queue, true)).to.deep.equal(MISSING);
      await queueControl.pause(queue);
      expect(await queueControl.remove(queue, false)).to.deep.equal(removed(0));
      expect(await isThere(harness(), queue)).to.equal(false);
    });

    // holds: queues.remove-active
    it('does nothing while jobs are active', async () => {
      const { queues, queueControl, queueDirectory, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const running = await take(attempts, queue);
      expect(await queueControl.remove(queue, false)).to.deep.equal({ kind: 'active' });
      expect(await pausedIn(queueDirectory, queue)).to.equal(false);
      expect(await countsOf(queues, queue)).to.include({ active: 1, waiting: 1 });
      expect(await attempts.settle(queue, running, COMPLETED)).to.deep.equal({ held: true });
      expect(await queueControl.remove(queue, false)).to.deep.equal(removed(2));
    });

    // holds: queues.remove-force
    it('takes active jobs from their attempts when it is forced', async () => {
      const { queues, queueControl, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const [first, second] = [await take(attempts, queue), await take(attempts, queue)];
      expect(await queueControl.remove(queue, true)).to.deep.equal(removed(3));
      expect(await attempts.renew(queue, [first, second], HOUR)).to.deep.equal([first, second]);
      expect(await attempts.settle(queue, first, COMPLETED)).to.deep.equal({ held: false });
      expect(await attempts.settle(queue, second, retryAfter(0))).to.deep.equal({ held: false });
      await attempts.recoverStalled(queue, 1);
      expect(await isThere(harness(), queue)).to.equal(false);
    });

    // holds: queues.registry
    it('leaves the name to a new queue, which the next add begins', async () => {
      const { queues, queueControl, attempts } = harness();
      const replicas = [harness(), await harness().replica(), await harness().replica()];
      const queue = uniqueQueue();
      await addOne(queues, queue, { jobId: 'mine' }, 'before');
      const former = await take(attempts, queue);
      await queueControl.pause(queue);
      for (const replica of replicas) {
        expect(await replica.queueControl.remove(queue, true)).to.include({ kind: 'removed' });
        const ids = await addEach(replica.queues, queue, { jobId: 'mine' }, {});
        expect(ids[0]).to.equal('mine');
        for (const each of replicas) expect(await isThere(each, queue)).to.equal(true);
        expect(await read(queues, queue, 'mine')).to.include({ data: null, attemptsMade: 0 });
        const { jobId } = await take(replica.attempts, queue);
        expect(jobId).to.equal('mine');
        expect(await attempts.settle(queue, former, COMPLETED)).to.deep.equal({ held: false });
      }
    });

    it('wakes those who wait, to find the jobs that are added later', async () => {
      const { queues, queueControl, attempts, now } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { delay: HOUR });
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      const work = async (): Promise<string> => {
        for (;;) {
          const claim = await attempts.claim(queue, claimOf(ANY));
          if (claim.kind === 'attempt') return claim.attempt.jobId;
          await attempts.waitForJobs(queue, now() + HOUR, NEVER);
        }
      };
      const worked = work();
      await queueControl.remove(queue, false);
      const { id } = await addOne(queues, queue, { jobId: 'later' });
      expect(await worked).to.equal(id);
    });

    if (isVolumePlayedOn(store)) {
      // holds: queues.remove-adds
      it('goes on beside those who add, and each job is removed whole or stands whole', async () => {
        const { queues, queueControl, attempts } = harness();
        const other = await harness().replica();
        const queue = uniqueQueue();
        for (const opts of [{}, { priority: 2 }, { delay: HOUR }]) {
          await queues.add(
            queue,
            Array.from({ length: MANY }, () => jobOf(opts)),
          );
        }
        const answers: string[] = [];
        let isRemoving = true;
        const add = async (): Promise<void> => {
          let wasRemoving: boolean;
          do {
            wasRemoving = isRemoving;
            const opts = [{}, { priority: 2 }, { jobId: `mine-${answers.length}` }][
              answers.length % 3
            ];
            answers.push((await addOne(other.queues, queue, opts)).id);
            // A client's next request comes in another turn of the event loop.
            await turn();
          } while (wasRemoving);
        };
        const remove = async () => {
          try {
            return await queueControl.remove(queue, false);
          } finally {
            isRemoving = false;
          }
        };
        const [removal] = await Promise.all([remove(), add()]);
        const { counts, jobs } = await listPage(queues, queue, {
          statuses: ['waiting', 'prioritized', 'delayed'],
          start: 0,
          length: 1000,
        });
        const { waiting, prioritized, delayed } = counts;
        expect(delayed).to.equal(0);
        expect(removal).to.deep.equal(removed(3 * MANY + answers.length - waiting - prioritized));
        expect(jobs).to.have.lengthOf(waiting + prioritized);
        for (const { id } of jobs) expect(answers).to.include(id);
        for (const id of answers) {
          const isListed = jobs.some((job) => job.id === id);
          expect((await queues.find(queue, id)) !== undefined).to.equal(isListed);
        }
        expect(await isThere(harness(), queue)).to.equal(true);
        expect(await takenIds(attempts, queue)).to.have.lengthOf(jobs.length);
      });
    }

    // holds: queues.remove
    it('ends well when several replicas remove it at once', async () => {
      const { queues } = harness();
      const replicas = [harness(), await harness().replica(), await harness().replica()];
      const queue = uniqueQueue();
      await queues.add(
        queue,
        Array.from({ length: MANY }, () => jobOf()),
      );
      const removals = await Promise.all(
        replicas.map(({ queueControl }) => queueControl.remove(queue, false)),
      );
      const jobs = removals.map((removal) => (removal.kind === 'removed' ? removal.jobs : 0));
      expect(jobs.reduce((sum, count) => sum + count, 0)).to.equal(MANY);
      expect(await isThere(harness(), queue)).to.equal(false);
    });
  });
}
