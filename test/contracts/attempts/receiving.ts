import { expect } from 'chai';
import type { OverdueAttempt } from '../../../src/domain/attempts/acceptance.ts';
import { visibleAgain } from '../../../src/domain/attempts/received.ts';
import type { Redrive } from '../../../src/domain/policies/message-policy.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  claimOf,
  ANY,
  COMPLETED,
  findStalled,
  pick,
  read,
  STALLED_GRACE,
  statusOf,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

const VISIBILITY = 5000;

/** A claim of a client that receives messages. */
const RECEIVE = { isPulled: true, isReceived: true, lockDuration: VISIBILITY } as const;

/** The same in a queue whose groups are in order. */
const IN_ORDER = { ...RECEIVE, groups: { ordered: 'skip', concurrency: 1 } } as const;

/** Claims of messages: their attempts are accepted in the step that starts them. */
export function describeReceiving(harness: () => QueueHarness): void {
  const overdue = async (queue: QueueName): Promise<readonly OverdueAttempt[]> => {
    const { found } = await harness().attempts.overdue();
    return found.filter((each) => each.queue === queue);
  };

  /** Makes the messages visible again whose time is over, as the sweep does. */
  async function sweep(queue: QueueName, redrive?: Redrive): Promise<void> {
    const { attempts, now } = harness();
    for (const { attempt } of (await overdue(queue)).toReversed()) {
      const ending = visibleAgain(attempt.job, 'ahead', redrive, undefined, now());
      await attempts.settle(queue, attempt, ending);
    }
  }

  describe('a received message', () => {
    // holds: messages.in-flight
    it('is in flight until its time is over, and does not stall', async () => {
      const { queues, attempts, advance, now } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue, RECEIVE);
      expect(attempt.job).to.include({ id, attemptsStarted: 1 });
      expect(await attempts.pulledQueues()).to.include(queue);
      const { nextAt = 0 } = await attempts.overdue();
      expect(nextAt).to.be.at.most(now() + VISIBILITY);
      await advance(VISIBILITY - 100);
      expect(await findStalled(harness(), queue)).to.deep.equal([]);
      expect(await overdue(queue)).to.deep.equal([]);
      await advance(100);
      const [found, ...more] = await overdue(queue);
      expect(more).to.deep.equal([]);
      expect(found).to.include({ queue, bound: VISIBILITY, isReceived: true });
      expect(found?.attempt).to.include({ jobId: id, token: attempt.token });
      await advance(2 * STALLED_GRACE);
      expect(await findStalled(harness(), queue)).to.deep.equal([]);
    });

    it('is told from a job that an endpoint accepted', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const called = await take(attempts, queue);
      for (let times = 1; times <= 2; times += 1) await attempts.accept(queue, called, VISIBILITY);
      const received = await take(attempts, queue, RECEIVE);
      await attempts.extend(queue, received, VISIBILITY);
      await advance(VISIBILITY);
      const found = await overdue(queue);
      expect(
        found.map(({ attempt, isReceived }) => [attempt.jobId, isReceived]),
      ).to.have.deep.members([
        [called.jobId, false],
        [received.jobId, true],
      ]);
    });

    it('is visible at once after a receive of no time', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await take(attempts, queue, { ...RECEIVE, lockDuration: 0 });
      await sweep(queue);
      expect((await take(attempts, queue, RECEIVE)).job).to.include({ id, attemptsStarted: 2 });
    });

    // holds: messages.visible
    it('is the next one, uncounted, when it is visible again', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, {}, { priority: 3 }, { priority: 3 });
      for (let times = 1; times <= 2; times += 1) {
        const attempt = await take(attempts, queue, RECEIVE);
        expect(attempt.job).to.include({ id: ids[0], attemptsStarted: times });
        await take(attempts, queue, RECEIVE);
        await advance(VISIBILITY);
        await sweep(queue);
        expect(await read(queues, queue, ids[0]!)).to.include({
          state: 'waiting',
          attemptsMade: 0,
        });
      }
      expect(await overdue(queue)).to.deep.equal([]);
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    it('has the time of its latest receive, and none when it was deleted', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const first = await take(attempts, queue, RECEIVE);
      await advance(VISIBILITY);
      await sweep(queue);
      const second = await take(attempts, queue, RECEIVE);
      await advance(VISIBILITY - 1000);
      expect(await overdue(queue)).to.deep.equal([]);
      expect(await attempts.reportEnding(queue, first, COMPLETED)).to.equal('refused');
      expect(await attempts.reportEnding(queue, second, COMPLETED)).to.equal('recorded');
      await advance(VISIBILITY);
      expect(await overdue(queue)).to.deep.equal([]);
      expect(await statusOf(queues, queue, id)).to.deep.equal(['completed']);
    });

    it('is found again by a claim that got no answer, and has its time from then on', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const claim = claimOf(RECEIVE);
      await attempts.claim(queue, claim);
      await advance(1000);
      const again = await attempts.claim(queue, { ...claim, isRepeated: true });
      expect(again).to.have.nested.property('attempt.jobId', id);
      await advance(VISIBILITY - 1000);
      expect(await overdue(queue)).to.deep.equal([]);
      await advance(1000);
      expect(await overdue(queue)).to.have.length(1);
    });

    // holds: messages.visible
    it('is behind the others when its client gave it up', async () => {
      const { queues, attempts, now } = harness();
      const queue = uniqueQueue();
      const prior = { priority: 3 };
      const ids = await addEach(queues, queue, {}, {}, prior, prior, prior);
      const giveUp = async (): Promise<void> => {
        const attempt = await take(attempts, queue, RECEIVE);
        const ending = visibleAgain(attempt.job, 'behind', undefined, undefined, now());
        await attempts.settle(queue, attempt, ending);
      };
      await giveUp();
      const [second, first] = [await take(attempts, queue), await take(attempts, queue)];
      expect([second.jobId, first.jobId]).to.deep.equal(pick(ids, 1, 0));
      await giveUp();
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 3, 4, 2));
    });

    it('is read by its token while that holds it', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, {}, { to: 'ada' });
      const attempt = await take(attempts, queue, RECEIVE);
      expect(await attempts.heldJob(queue, attempt)).to.deep.equal(attempt.job);
      const other = { ...attempt, token: claimOf(ANY).token };
      expect(await attempts.heldJob(queue, other)).to.equal(undefined);
      expect(await attempts.heldJob(queue, { ...attempt, jobId: 'none' })).to.equal(undefined);
      await attempts.reportEnding(queue, attempt, COMPLETED);
      expect(await attempts.heldJob(queue, attempt)).to.equal(undefined);
    });

    // holds: messages.order
    it('keeps the order of its group', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const group = { group: { id: 'a' } };
      const ids = await addEach(queues, queue, group, group, group);
      for (let times = 1; times <= 2; times += 1) {
        expect((await take(attempts, queue, IN_ORDER)).jobId).to.equal(ids[0]);
        expect((await attempts.claim(queue, claimOf(IN_ORDER))).kind).to.equal('idle');
        await advance(VISIBILITY);
        await sweep(queue);
      }
      for (const id of ids) {
        const attempt = await take(attempts, queue, IN_ORDER);
        expect(attempt.jobId).to.equal(id);
        await attempts.reportEnding(queue, attempt, COMPLETED);
      }
    });

    // holds: messages.redrive
    it('fails where it was received too often, and lets its group go on', async () => {
      const { queues, attempts, advance } = harness();
      const [queue, dead] = [uniqueQueue(), uniqueQueue()];
      const group = { id: 'a' };
      const [first] = await addEach(queues, queue, { jobId: 'first', group }, { group });
      for (let times = 1; times <= 3; times += 1) {
        expect((await take(attempts, queue, IN_ORDER)).jobId).to.equal(first);
        await advance(VISIBILITY);
        await sweep(queue, { maxReceives: 3, queue: dead });
      }
      const failedReason = 'Received 3 times';
      expect(await read(queues, queue, 'first')).to.include({
        state: 'failed',
        attemptsMade: 1,
        failedReason,
      });
      expect((await take(attempts, queue, IN_ORDER)).jobId).to.equal('2');
      const copy = await take(attempts, dead, IN_ORDER);
      expect(copy.job.opts).to.deep.equal({
        attempts: 0,
        delay: 0,
        group,
        origin: {
          queue,
          id: 'first',
          failedReason,
          opts: { attempts: 0, delay: 0, jobId: 'first', group },
        },
      });
      expect(copy.jobId).to.equal('first');
    });
  });
}
