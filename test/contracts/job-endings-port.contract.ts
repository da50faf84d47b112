import { expect } from 'chai';
import type {
  EndingSubscription,
  EndingNotice,
} from '../../src/application/ports/job-endings-port.ts';
import { placedJob } from './job-control/placed-job.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import { addOne, FAILED, process, retryAfter, uniqueQueue } from './queue-steps.ts';

/** How long after the end of a job its notice may arrive on a busy machine, in milliseconds. */
const NOTICE_TIME = 1000;

function ended(subscription: EndingSubscription, jobId: string): Promise<EndingNotice> {
  return new Promise((resolve) => {
    subscription.listen(jobId, resolve);
  });
}

/** What every JobEndingsPort promises. */
export function describeJobEndingsPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`JobEndingsPort: ${name}`, () => {
    let harness: QueueHarness;
    let other: QueueReplica;

    before(async () => {
      harness = await createHarness();
      other = await harness.replica();
    });

    after(() => harness.dispose());

    // holds: result.wait
    it('reports a job that completes or fails, on another replica too', async () => {
      for (const { attempts } of [harness, other]) {
        const queue = uniqueQueue();
        const subscription = await harness.jobEndings.subscribe(queue);
        const { id } = await addOne(harness.queues, queue);
        const notice = ended(subscription, id);
        await process(attempts, queue, { kind: 'completed', returnvalue: { some: ['value'] } });
        expect(await notice).to.deep.equal({
          state: 'completed',
          returnvalue: { some: ['value'] },
        });
        subscription.end();
        const again = await harness.jobEndings.subscribe(queue);
        const { id: next } = await addOne(harness.queues, queue);
        const nextNotice = ended(again, next);
        await process(attempts, queue, FAILED);
        expect(await nextNotice).to.deep.equal({ state: 'failed', failedReason: FAILED.reason });
        again.end();
      }
    });

    it('reports what ended before it was said which job it is', async () => {
      const queue = uniqueQueue();
      const subscription = await harness.jobEndings.subscribe(queue);
      const { id } = await addOne(harness.queues, queue);
      await process(other.attempts, queue, FAILED);
      expect(await ended(subscription, id)).to.include({ state: 'failed' });
      subscription.end();
    });

    it('reports a job that is cancelled, and one that is not kept', async () => {
      const queue = uniqueQueue();
      const subscription = await harness.jobEndings.subscribe(queue);
      const id = await placedJob(harness, queue, 'delayed');
      const notice = ended(subscription, id);
      await other.jobControl.cancel(queue, id, { reason: 'no more', keep: { count: 0 } });
      expect(await notice).to.deep.equal({ state: 'failed', failedReason: 'no more' });
      subscription.end();
    });

    it('reports no job that is tried again', async () => {
      const queue = uniqueQueue();
      const subscription = await harness.jobEndings.subscribe(queue);
      const notices: EndingNotice[] = [];
      const { id } = await addOne(harness.queues, queue, { attempts: 2 });
      subscription.listen(id, (ending) => notices.push(ending));
      await process(harness.attempts, queue, retryAfter(0));
      const last = await harness.jobEndings.subscribe(queue);
      const end = ended(last, id);
      await process(harness.attempts, queue, FAILED);
      await end;
      expect(notices).to.have.length(1);
      subscription.end();
      last.end();
    });

    it('reports to each of many followers its own job, and soon', async () => {
      const queues = Array.from({ length: 20 }, () => uniqueQueue());
      const subscriptions = await Promise.all(
        queues.map((queue) => harness.jobEndings.subscribe(queue)),
      );
      const notices = await Promise.all(
        queues.map(async (queue, index) => {
          const { id } = await addOne(harness.queues, queue);
          const end = ended(subscriptions[index]!, id);
          await process(other.attempts, queue, { kind: 'completed', returnvalue: index });
          const begun = performance.now();
          const ending = await end;
          expect(performance.now() - begun).to.be.below(NOTICE_TIME);
          return ending;
        }),
      );
      expect(notices).to.deep.equal(
        queues.map((_, returnvalue) => ({ state: 'completed', returnvalue })),
      );
      for (const subscription of subscriptions) subscription.end();
    });

    it('reports nothing once it is ended', async () => {
      const queue = uniqueQueue();
      const [first, second] = [
        await harness.jobEndings.subscribe(queue),
        await harness.jobEndings.subscribe(queue),
      ];
      const { id } = await addOne(harness.queues, queue);
      const notices: EndingNotice[] = [];
      first.listen(id, (ending) => notices.push(ending));
      const end = ended(second, id);
      first.end();
      await process(harness.attempts, queue, FAILED);
      await end;
      expect(notices).to.deep.equal([]);
      second.end();
    });
  });
}
