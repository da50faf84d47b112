import { expect } from 'chai';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { blockedBy, type Blocked } from '../../src/domain/workers/blocked.ts';
import type { Worker } from '../../src/domain/workers/worker.ts';
import { claimCall } from './attempts/batches.ts';
import { FlowSteps } from './flows/flow-steps.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addEach, ANY, claimOf, COMPLETED, HOUR, take, uniqueQueue } from './queue-steps.ts';

const LIMITER = { max: 2, duration: HOUR };
const BREAKER = { failures: 1, openFor: HOUR };

/** What every QueueStandingPort promises, by the reasons that follow from it. */
export function describeQueueStandingPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`QueueStandingPort: ${name}`, () => {
    let harness: QueueHarness;
    let queue: QueueName;

    before(async () => {
      harness = await createHarness();
    });
    beforeEach(() => {
      queue = uniqueQueue();
    });
    after(() => harness.dispose());

    function workerWith(
      opts: NonNullable<Worker['opts']> = {},
      disabled?: Worker['disabled'],
    ): Worker {
      const endpoint = { url: 'http://endpoint.example', method: 'post' } as const;
      return { queue, endpoint, opts, ...(disabled && { disabled }) };
    }

    /** As another replica sees it. */
    async function blocked(worker?: Worker): Promise<Blocked | undefined> {
      const { queueStandings, queueDirectory } = await harness.replica();
      const limiter = worker?.opts?.limiter;
      const hasBatches = worker?.opts?.batch !== undefined;
      const [standing] = await queueStandings.standings([{ queue, limiter, hasBatches }]);
      const [glance] = await queueDirectory.glances([queue]);
      return blockedBy(glance!, standing!, worker);
    }

    // holds: sight.blocked
    it('finds no reason in a queue without waiting jobs, or whose jobs start', async () => {
      await addEach(harness.queues, queue, {});
      expect(await blocked(workerWith())).to.equal(undefined);
      await take(harness.attempts, queue);
      expect(await blocked()).to.equal(undefined);
      const [standing] = await harness.queueStandings.standings([{ queue: uniqueQueue() }]);
      expect(standing).to.include({ running: 0 });
    });

    // holds: sight.blocked
    it('names a pause before a hold, and a hold before all that follows', async () => {
      await addEach(harness.queues, queue, { delay: HOUR });
      await harness.queueControl.hold(queue, HOUR);
      const held = await blocked();
      expect(held).to.include({ reason: 'held' });
      expect(held?.until).to.be.greaterThan(0);
      await harness.queueControl.pause(queue);
      expect(await blocked()).to.deep.equal({ reason: 'paused', detail: 'The queue is paused' });
    });

    // holds: sight.blocked
    it('names a disabled worker with its reason', async () => {
      await addEach(harness.queues, queue, {});
      const disabled = { reason: 'HTTP 410', since: harness.now() };
      expect(await blocked(workerWith({}, disabled))).to.deep.equal({
        reason: 'disabled',
        detail: 'The worker is disabled: HTTP 410',
      });
    });

    // holds: sight.blocked
    it('names an open breaker, and until when no call starts', async () => {
      await addEach(harness.queues, queue, {}, {});
      const attempt = await take(harness.attempts, queue, { ...ANY, hasBreaker: true });
      const verdict = { ...BREAKER, maxOpenFor: HOUR, isDown: true, reason: 'it broke' };
      const ending = { kind: 'failed', reason: 'it broke', verdict } as const;
      await harness.attempts.settle(queue, attempt, ending);
      const open = await blocked(workerWith({ breaker: BREAKER }));
      expect(open).to.include({ reason: 'open' });
      expect(open?.until).to.be.greaterThan(0);
      expect(open?.detail).to.match(
        /^The endpoint failed; the next try is in (?:1 h|60 min|59 min)$/,
      );
      expect(await blocked(workerWith())).to.equal(undefined);
    });

    // holds: sight.blocked
    it('names a queue that neither a worker nor a client serves, until a client claims', async () => {
      expect(await harness.queueStandings.noteClaim(queue)).to.equal(false);
      await addEach(harness.queues, queue, {});
      expect(await blocked()).to.include({ reason: 'no-worker' });
      expect(await harness.queueStandings.noteClaim(queue)).to.equal(true);
      expect(await blocked()).to.equal(undefined);
      await harness.advance(60_000);
      expect(await blocked()).to.include({ reason: 'no-worker' });
    });

    // holds: sight.blocked
    it('names a limiter that lets no call start', async () => {
      await addEach(harness.queues, queue, {}, {}, {});
      for (let started = 0; started < 2; started += 1) {
        const attempt = await take(harness.attempts, queue, { ...ANY, limiter: LIMITER });
        await harness.attempts.settle(queue, attempt, COMPLETED);
      }
      const limited = await blocked(workerWith({ limiter: LIMITER }));
      expect(limited).to.include({ reason: 'limiter' });
      expect(limited?.until).to.be.greaterThan(0);
      expect(limited?.detail).to.match(/^The limiter allows 2 calls in 1 h; the next may start in/);
    });

    // holds: sight.blocked
    it('names full slots once no call has ended for five seconds', async () => {
      await addEach(harness.queues, queue, {}, {}, {});
      await take(harness.attempts, queue);
      await harness.attempts.claim(queue, claimOf(ANY));
      const worker = workerWith({ concurrency: 2 });
      expect(await blocked(worker)).to.equal(undefined);
      await harness.advance(6000);
      expect(await blocked(worker)).to.deep.equal({
        reason: 'concurrency',
        detail: '2 of 2 calls are running',
      });
      expect(await blocked(workerWith({ concurrency: 3 }))).to.equal(undefined);
    });

    // holds: sight.blocked, batches.concurrency
    it('counts calls with several jobs as one each', async () => {
      await addEach(harness.queues, queue, {}, {}, {}, {});
      const { attempts } = harness;
      const batch = { size: 2 };
      await claimCall(attempts, queue, 2);
      await harness.advance(6000);
      expect(await blocked(workerWith({ concurrency: 2, batch }))).to.equal(undefined);
      await claimCall(attempts, queue, 1);
      await harness.advance(6000);
      expect(await blocked(workerWith({ concurrency: 2, batch }))).to.deep.equal({
        reason: 'concurrency',
        detail: '2 of 2 calls are running',
      });
    });

    // holds: sight.blocked
    it('names the next due job of a queue in which all jobs are delayed', async () => {
      await addEach(harness.queues, queue, { delay: 2 * HOUR }, { delay: HOUR });
      const delayed = await blocked(workerWith());
      expect(delayed).to.include({ reason: 'delayed', until: harness.now() + HOUR });
      expect(delayed?.detail).to.equal('The next job is delayed and due in 1 h');
      await addEach(harness.queues, queue, {});
      expect(await blocked(workerWith())).to.equal(undefined);
    });

    describe('jobs that wait for other jobs', () => {
      let steps: FlowSteps;

      beforeEach(() => {
        steps = new FlowSteps(harness);
      });

      const failedChild = async (of: QueueName) =>
        (await (await harness.replica()).queueStandings.failedChildren([of]))[0];

      // holds: sight.blocked-children
      it('finds the failed child of a parent, until it is retried', async () => {
        const jobs = await steps.added([{}, {}]);
        expect(await failedChild(steps.above)).to.equal(undefined);
        const id = await steps.fail();
        expect(await failedChild(steps.above)).to.deep.equal({ queue: steps.below, id });
        expect(await failedChild(steps.below)).to.equal(undefined);
        await harness.jobControl.retry(steps.below, id, {});
        expect(await failedChild(steps.above)).to.equal(undefined);
        expect(await steps.stateOf(jobs[0]!)).to.equal('waiting-children');
      });

      // holds: sight.blocked-children
      it('finds a failed job far below a parent, for each of its ancestors', async () => {
        const [middle, lowest] = [uniqueQueue(), uniqueQueue()];
        const deepest = { queue: lowest, name: 'deepest', data: 1 };
        await steps.added([{}, { queue: middle, children: [deepest] }]);
        const id = await steps.fail(lowest);
        const { queueStandings } = harness;
        const queues = [steps.above, uniqueQueue(), middle, lowest];
        const failed = { queue: lowest, id };
        expect(await queueStandings.failedChildren(queues)).to.deep.equal([
          failed,
          undefined,
          failed,
          undefined,
        ]);
      });

      // holds: sight.blocked-children
      it('finds no failed child whose failure its parent ignores', async () => {
        await steps.added([{ onChildFailure: 'ignore' }, {}]);
        await steps.fail();
        expect(await failedChild(steps.above)).to.equal(undefined);
      });

      // holds: sight.blocked-job
      it('finds the job that a parent waits for: a failed one before all others', async () => {
        const [parent, first] = await steps.added([{}, {}]);
        const awaited = () => harness.queueStandings.awaitedJob(parent!.queue, parent!.id);
        expect(await awaited()).to.include({ queue: steps.below, isFailed: false });
        const id = await steps.fail();
        expect(await awaited()).to.deep.equal({ queue: steps.below, id, isFailed: true });
        expect(await harness.queueStandings.awaitedJob(first!.queue, first!.id)).to.equal(
          undefined,
        );
      });

      // holds: sight.blocked-job
      it('finds the lowest job that a parent waits for', async () => {
        const [middle, lowest] = [uniqueQueue(), uniqueQueue()];
        const deepest = { queue: lowest, name: 'deepest', data: 1 };
        const [parent] = await steps.added([{ queue: middle, children: [deepest] }]);
        const awaited = await harness.queueStandings.awaitedJob(parent!.queue, parent!.id);
        expect(awaited).to.include({ queue: lowest, isFailed: false });
        await steps.complete(lowest);
        const left = await harness.queueStandings.awaitedJob(parent!.queue, parent!.id);
        expect(left).to.include({ queue: middle, isFailed: false });
      });
    });
  });
}
