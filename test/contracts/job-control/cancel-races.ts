import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { ActionOutcome } from '../../../src/domain/jobs/job-actions.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import {
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  NO_JOBS,
  read,
  retryAfter,
  take,
  takeAll,
  uniqueQueue,
} from '../queue-steps.ts';
import { placedJob } from './placed-job.ts';
import { rounds } from '../../support/lane.ts';

const ROUNDS = 20;
const SEQUENCES = rounds(10, 3);
const STEPS = 20;
const REASON = 'no more';

/** A generator of numbers from 0 to 1, the same for the same seed, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

export function describeCancelRaces(harness: () => QueueHarness): void {
  describe('cancelling a job while others act on it', () => {
    const cancel = (
      { jobControl }: QueueReplica,
      queue: ReturnType<typeof uniqueQueue>,
      id: string,
    ): Promise<ActionOutcome> => jobControl.cancel(queue, id, { reason: REASON });

    for (const ending of [COMPLETED, FAILED, retryAfter(0), retryAfter(1000)]) {
      // holds: actions.one-winner, cancel.races
      it(`has one winner beside an attempt that ends: ${JSON.stringify(ending)}`, async () => {
        const other = await harness().replica();
        for (let round = 0; round < ROUNDS; round += 1) {
          const { queues, attempts } = harness();
          const queue = uniqueQueue();
          const { id } = await addOne(queues, queue, { attempts: 3 });
          const attempt = await take(attempts, queue);
          const [settled, cancelled] = await Promise.all([
            attempts.settle(queue, attempt, ending, claimOf(ANY)),
            cancel(other, queue, id),
          ]);
          const job = await read(queues, queue, id);
          const goesOn = ending.kind === 'retry';
          if (settled.held && !goesOn) {
            expect(cancelled.kind).to.equal('refused');
            expect(job.failedReason).to.not.equal(REASON);
          } else {
            expect(cancelled.kind).to.equal('done');
            expect(job).to.include({ state: 'failed', failedReason: REASON });
          }
          expect((await takeAll(attempts, queue)).map(({ jobId }) => jobId)).to.deep.equal([]);
          expect(await countsOf(queues, queue)).to.include({ active: 0, waiting: 0 });
        }
      });
    }

    // holds: actions.one-winner, cancel.races
    it('fails a job that is claimed, promoted or retried at the same moment', async () => {
      const other = await harness().replica();
      for (let round = 0; round < ROUNDS; round += 1) {
        const { queues, attempts, jobControl } = harness();
        const queue = uniqueQueue();
        const waiting = await placedJob(harness(), queue, 'waiting');
        const [, first] = await Promise.all([
          attempts.claim(queue, claimOf(ANY)),
          cancel(other, queue, waiting),
        ]);
        const delayed = await placedJob(harness(), queue, 'delayed');
        const [, second] = await Promise.all([
          jobControl.promote(queue, delayed),
          cancel(other, queue, delayed),
        ]);
        expect([first.kind, second.kind]).to.deep.equal(['done', 'done']);
        const [retried, third] = await Promise.all([
          jobControl.retry(queue, waiting, {}),
          cancel(other, queue, waiting),
        ]);
        expect(retried.kind).to.equal('done');
        // Whether it came before the retry or after it.
        if (third.kind === 'refused') await cancel(other, queue, waiting);
        expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, failed: 2 });
      }
    });

    // holds: cancel.races
    it('counts every job once, in any order of what is done to them', async function () {
      this.timeout(60_000);
      const replicas: QueueReplica[] = [harness(), await harness().replica()];
      for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
        const seed = Math.floor(Math.random() * 0x1_0000_0000);
        const random = randomFrom(seed);
        const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
        const queue = uniqueQueue();
        const ids: string[] = [];
        for (const opts of [{}, { attempts: 3 }, { priority: 2 }, { delay: 20 }, {}]) {
          ids.push((await addOne(harness().queues, queue, opts)).id);
        }
        const held: Attempt[] = [];
        const act = async ({ attempts, jobControl }: QueueReplica): Promise<void> => {
          const id = pick(ids);
          switch (Math.floor(random() * 8)) {
            case 0:
            case 1: {
              const lockDuration = pick([20, 3_600_000]);
              const claim = await attempts.claim(queue, claimOf({ ...ANY, lockDuration }));
              if (claim.kind === 'attempt') held.push(claim.attempt);
              return;
            }
            case 2: {
              const attempt = held.splice(Math.floor(random() * held.length), 1)[0];
              const ending = pick([COMPLETED, FAILED, retryAfter(0), retryAfter(10)]);
              if (attempt !== undefined) await attempts.settle(queue, attempt, ending);
              return;
            }
            case 3:
              await attempts.recoverStalled(queue, 1);
              return;
            case 4:
              await jobControl.promote(queue, id);
              return;
            case 5:
              await jobControl.retry(queue, id, {});
              return;
            default:
              await jobControl.cancel(queue, id, { reason: REASON });
          }
        };
        for (let step = 0; step < STEPS; step += 1) {
          await Promise.all(replicas.map((replica) => act(replica)));
          await harness().advance(pick([0, 5, 25]));
        }
        const { queues } = harness();
        const counts = await countsOf(queues, queue);
        const jobs = await Promise.all(ids.map((id) => read(queues, queue, id)));
        for (const status of Object.keys(NO_JOBS)) {
          const those = jobs.filter(({ state }) => state === status);
          expect(counts[status], `${status}, seed ${seed}`).to.equal(those.length);
        }
        for (const id of ids) {
          await harness().jobControl.cancel(queue, id, { reason: REASON });
          const { state } = await read(queues, queue, id);
          expect(['completed', 'failed'], `seed ${seed}`).to.include(state);
        }
        const ended = await countsOf(queues, queue);
        expect((ended['completed'] ?? 0) + (ended['failed'] ?? 0), `seed ${seed}`).to.equal(5);
        for (const attempt of held) {
          const late = await harness().attempts.settle(queue, attempt, COMPLETED);
          expect(late.held, `seed ${seed}`).to.equal(false);
        }
        expect(await takeAll(harness().attempts, queue)).to.deep.equal([]);
      }
    });
  });
}
