import { expect } from 'chai';
import { severalAtOnce } from '../../src/application/running/several-at-once.ts';
import type { EndedJob } from '../../src/domain/deliveries/ended-job.ts';
import { MOST_CALLBACKS, MOST_UNSENT } from '../../src/domain/deliveries/unsent-messages.ts';
import type { Job } from '../../src/domain/jobs/job.ts';
import { callbackIdOf } from '../../src/domain/deliveries/end-messages.ts';
import { CALLBACK_QUEUE, queueOfHeld, queueOfHook } from '../../src/domain/queues/own-queue.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { Json } from '../../src/domain/values/json.ts';
import { queueNamed } from '../support/queue-named.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addOne,
  ANY,
  claimOf,
  HOUR,
  listed,
  listPage,
  read,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from './queue-steps.ts';
import { isVolumePlayedOn } from './played-on.ts';
import { rounds } from '../support/lane.ts';
import { piecesOf } from '../../src/domain/values/pieces.ts';

/** How many callbacks are made before the first that is held back: all of the bound, or the last of it. */
const CALLBACKS = rounds(MOST_CALLBACKS, 20);

/** What every store writes in the step that ends a job: messages for hooks, and the callback of the job. */
export function describeEndMessages(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`what follows the end of a job: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    /** A queue about which the hooks of tests are. */
    const watched = (): QueueName => queueNamed(`watched-${uniqueQueue()}`);

    async function waiting(queue: QueueName): Promise<readonly Job[]> {
      const query = { statuses: ['waiting'] as const, start: 0, length: 1000 };
      return (await listPage(harness.queues, queue, query)).jobs;
    }

    async function deliveries(to: QueueName, from: QueueName): Promise<readonly Job[]> {
      const jobs = await waiting(to);
      return jobs.filter(({ data }) => (data as unknown as EndedJob).queue === from);
    }

    const messages = async (hook: string, from: QueueName): Promise<readonly EndedJob[]> =>
      (await deliveries(queueOfHook(hook), from)).map(({ data }) => data as unknown as EndedJob);

    async function end(queue: QueueName, returnvalue: Json = null): Promise<string> {
      const { attempts } = harness;
      const attempt = await take(attempts, queue);
      const call = { outcome: 'completed', status: 200 } as const;
      await attempts.settle(queue, attempt, { kind: 'completed', returnvalue, call });
      return attempt.jobId;
    }

    async function fail(queue: QueueName, reason: string): Promise<string> {
      const { attempts } = harness;
      const attempt = await take(attempts, queue);
      const call = { outcome: 'failed', status: 500 } as const;
      await attempts.settle(queue, attempt, { kind: 'failed', reason, call });
      return attempt.jobId;
    }

    // holds: hooks.job-ended
    it('has a message for each hook that wants to know of completed jobs', async () => {
      const queue = watched();
      const added = await addOne(
        harness.queues,
        queue,
        { attempts: 3, priority: 2 },
        { to: 'ada' },
      );
      const id = await end(queue, { sent: true });
      expect(id).to.equal(added.id);
      const [message, ...others] = await messages('done', queue);
      expect(others).to.deep.equal([]);
      const { finishedOn, processedOn } = await read(harness.queues, queue, id);
      expect(message).to.deep.equal({
        type: 'job.completed',
        at: finishedOn,
        queue,
        id,
        name: 'work',
        value: '{"sent":true}',
        size: 13,
        timestamp: added.timestamp,
        processedOn,
        priority: 2,
        attemptsMade: 1,
        attempts: 3,
        progress: 0,
        group: null,
        parent: null,
        lastStatus: 200,
        dataSize: 12,
      });
      expect(await messages('alerts', queue)).to.deep.equal([]);
    });

    // holds: hooks.job-ended
    it('has no message for an attempt that is followed by another one', async () => {
      const { attempts, queues } = harness;
      const queue = watched();
      await addOne(queues, queue, { attempts: 2 });
      const attempt = await take(attempts, queue);
      await attempts.settle(queue, attempt, { kind: 'retry', reason: 'busy', delay: 0 });
      expect(await messages('alerts', queue)).to.deep.equal([]);
      await fail(queue, 'too many');
      for (const hook of ['alerts', 'on-call']) {
        const [message, ...others] = await messages(hook, queue);
        expect(others).to.deep.equal([]);
        expect(message).to.include({ type: 'job.failed', value: 'too many', attemptsMade: 2 });
        expect(message).to.include({ lastStatus: 500 });
      }
    });

    // holds: hooks.job-ended
    it('tells a cancelled and an expired job from a failed one', async () => {
      const { queues, jobControl, expiry, advance } = harness;
      const queue = watched();
      const { id } = await addOne(queues, queue);
      await jobControl.cancel(queue, id, { reason: 'not needed' });
      await addOne(queues, queue, { ttl: 1000 });
      await advance(1000);
      while (!(await expiry.expireDue()).isDone);
      const found = await messages('alerts', queue);
      expect(found.map(({ type, value }) => [type, value])).to.have.deep.members([
        ['job.cancelled', 'not needed'],
        ['job.expired', 'Expired after 1000 ms'],
      ]);
      expect(await messages('on-call', queue)).to.deep.equal([]);
    });

    it('tells of a job that a claim fails because it expired', async () => {
      const { queues, attempts, advance } = harness;
      const queue = watched();
      await addOne(queues, queue, { ttl: 1000 });
      await advance(1000);
      await attempts.claim(queue, claimOf(ANY));
      expect((await messages('alerts', queue)).map(({ type }) => type)).to.deep.equal([
        'job.expired',
      ]);
    });

    it('tells of a job that stalled too often', async () => {
      const { queues, attempts, advance } = harness;
      const queue = watched();
      await addOne(queues, queue);
      await attempts.claim(queue, claimOf(SHORTLY));
      await advance(SOON);
      await attempts.recoverStalled(queue, 0);
      await advance(SOON);
      await attempts.recoverStalled(queue, 0);
      const attempt = await take(attempts, queue);
      const reason = 'job stalled more than allowable limit';
      await attempts.settle(queue, attempt, { kind: 'failed', reason });
      const [message] = await messages('on-call', queue);
      expect(message).to.include({ value: reason, lastStatus: null });
    });

    it('has a message of a job that is not kept, without a return value that is too large', async () => {
      const { queues } = harness;
      const queue = watched();
      await addOne(queues, queue, { removeOnComplete: true });
      await end(queue, 'x'.repeat(20_000));
      const [message] = await messages('done', queue);
      expect(message).to.include({ value: null, size: 20_002 });
      expect(await listed(queues, queue)).to.deep.equal([]);
    });

    if (isVolumePlayedOn(name)) {
      // holds: hooks.bound
      it('fails the oldest messages of a hook of which too many wait, and reports that once', async () => {
        const { queues, attempts, jobControl } = harness;
        const queue = queueNamed(`crowded-${uniqueQueue()}`);
        const [own, told] = [queueOfHook('crowded'), queueOfHook('told')];
        const fill = (name: string, count: number) =>
          queues.add(
            own,
            Array.from({ length: count }, (_, index) => ({
              name,
              data: 1,
              opts: { attempts: 8, delay: 0, jobId: `${name}-${index}` },
            })),
          );
        const failed = async (): Promise<readonly string[]> => {
          const { jobs } = await listPage(queues, own, {
            statuses: ['failed'],
            start: 0,
            length: 10,
          });
          for (const { failedReason } of jobs)
            expect(failedReason).to.equal('Too many messages wait');
          return jobs.map(({ id }) => id).sort();
        };
        const next = async (): Promise<void> => {
          await addOne(queues, queue);
          await end(queue);
        };
        await fill('old', MOST_UNSENT);
        expect(await failed()).to.deep.equal([]);
        await next();
        expect(await failed()).to.deep.equal(['old-0']);
        // One that waits for its next attempt is the oldest, and one that is being sent is left alone.
        await attempts.settle(own, await take(attempts, own), {
          kind: 'retry',
          reason: 'away',
          delay: HOUR,
        });
        expect((await take(attempts, own)).jobId).to.equal('old-2');
        await next();
        await next();
        expect(await failed()).to.deep.equal(['old-0', 'old-1', 'old-3']);
        expect(await waiting(told)).to.have.length(1);
        const [{ data } = { data: null }] = await waiting(told);
        expect(data).to.have.property('message').that.deep.includes({
          kind: 'failing',
          type: 'hook.failing',
          failing: 'crowded',
          delivery: 'old-0',
          reason: 'Too many messages wait',
        });
        // Fewer than 9000 wait: the next one beyond 10,000 is reported again.
        const gone = Array.from({ length: 1001 }, (_, index) => `old-${4 + index}`);
        await severalAtOnce(gone, 20, (id) => jobControl.removeAlone(own, id));
        await fill('new', 1001);
        expect(await failed()).to.have.length(3);
        await (await harness.replica()).jobControl.retry(own, 'old-0', {});
        expect(await failed()).to.have.length(3);
        expect(await waiting(told)).to.have.length(2);
      });
    }

    // holds: hooks.own-queues
    it('has no message about the jobs of the service itself, however they end', async () => {
      const { queues, jobControl } = harness;
      const own = queueOfHook(`own-${uniqueQueue()}`);
      await addOne(queues, own);
      await end(own);
      await addOne(queues, own);
      await fail(own, 'no receiver');
      const { id } = await addOne(queues, own);
      await jobControl.cancel(own, id, { reason: 'not needed' });
      for (const hook of ['done', 'alerts', 'on-call']) {
        expect(await messages(hook, own)).to.deep.equal([]);
      }
    });

    it('shows no queue of the service itself to anybody', async () => {
      const queue = watched();
      await addOne(harness.queues, queue);
      await end(queue);
      const names = await harness.queueDirectory.names();
      expect(names).to.include(queue);
      expect(names.filter((each) => each.includes(':'))).to.deep.equal([]);
    });

    it('removes a queue of its own, and leaves alone a queue of that name', async () => {
      const { queues, queueControl, queueDirectory, attempts } = harness;
      const hook = `hook-${uniqueQueue()}`;
      const named = queueNamed(queueOfHook(hook).split(':').at(-1) ?? '');
      await addOne(queues, named);
      await attempts.claim(named, claimOf({ ...ANY, isPulled: true }));
      await addOne(queues, queueOfHook(hook));
      await attempts.recoverStalled(queueOfHook(hook), 1);
      expect(await attempts.pulledQueues()).to.include(named);
      await queueControl.remove(queueOfHook(hook), true);
      expect(await waiting(queueOfHook(hook))).to.deep.equal([]);
      expect(await queueDirectory.names()).to.include(named);
      expect(await attempts.pulledQueues()).to.include(named);
    });

    // holds: callbacks.url
    it('has a delivery for the callback of a job, in the group of its origin', async () => {
      const { queues } = harness;
      const queue = uniqueQueue();
      const url = 'https://a.example.com:8443/done?x=1';
      const { id } = await addOne(queues, queue, { callback: { url, headers: { 'X-Key': 'k' } } });
      await end(queue, [1]);
      const [delivery, ...others] = await deliveries(CALLBACK_QUEUE, queue);
      expect(others).to.deep.equal([]);
      expect(delivery?.opts).to.deep.include({
        attempts: 8,
        group: { id: 'https://a.example.com:8443' },
      });
      expect(delivery?.data).to.deep.include({
        type: 'job.completed',
        id,
        value: '[1]',
        run: 1,
        callback: { url, headers: { 'X-Key': 'k' } },
      });
      const { finishedOn = 0, calledBack } = await read(queues, queue, id);
      expect(calledBack).to.deep.equal({ run: 1, at: finishedOn });
      expect(delivery?.id).to.equal(`${queue}:${id}:1:${finishedOn}`);
    });

    if (isVolumePlayedOn(name)) {
      // holds: callbacks.bound
      it('holds back the callbacks of a queue of which too many wait, and makes them in order', async function () {
        this.timeout(180_000);
        const { queues, expiry, advance, attempts, jobControl, system } = harness;
        const [queue, other] = [uniqueQueue(), uniqueQueue()];
        const held = queueOfHeld(queue);
        const callback = { url: 'https://a.example.com/done' };
        const counts = async () => (await queues.summary(CALLBACK_QUEUE)).counts.waiting;
        await harness.queueControl.remove(CALLBACK_QUEUE, true);
        const { queuesHeldBack } = await system.store();
        const opts = { attempts: 0, delay: 0, ttl: 1000, callback };
        const jobs = Array.from({ length: CALLBACKS }, () => ({ name: 'work', data: 1, opts }));
        for (const piece of piecesOf(jobs, 10_000)) await queues.add(queue, piece);
        if (CALLBACKS < MOST_CALLBACKS) {
          await harness.countCallbacks?.(queue, MOST_CALLBACKS - CALLBACKS);
        }
        await advance(1000);
        while (!(await expiry.expireDue()).isDone);
        expect(await counts()).to.equal(CALLBACKS);
        expect((await system.store()).queuesHeldBack).to.equal(queuesHeldBack);
        const late: string[] = [];
        for (let count = 0; count < 3; count += 1) {
          await addOne(queues, queue, { callback });
          const id = await end(queue, count);
          const { calledBack } = await read(queues, queue, id);
          late.push(callbackIdOf({ queue, id, at: calledBack?.at ?? 0 }, 1));
        }
        expect((await waiting(held)).map(({ id }) => id)).to.have.members(late);
        expect(await counts()).to.equal(CALLBACKS);
        expect((await system.store()).queuesHeldBack).to.equal(queuesHeldBack + 1);
        // Those of other queues are made.
        await addOne(queues, other, { callback });
        await end(other);
        expect(await counts()).to.equal(CALLBACKS + 1);
        // One that is sent again counts.
        const done = { kind: 'completed', returnvalue: null } as const;
        const first = await take(attempts, CALLBACK_QUEUE);
        await attempts.settle(CALLBACK_QUEUE, first, { ...done, kind: 'failed', reason: 'away' });
        expect((await waiting(held)).map(({ id }) => id)).to.have.members(late.slice(1));
        const made = await queues.find(CALLBACK_QUEUE, late[0] ?? '');
        expect(made?.opts).to.deep.include({ attempts: 8, group: { id: 'https://a.example.com' } });
        expect(made?.data).to.deep.include({ type: 'job.completed', queue, value: '0' });
        await jobControl.retry(CALLBACK_QUEUE, first.jobId, {});
        await jobControl.removeAlone(CALLBACK_QUEUE, late[0] ?? '');
        expect((await waiting(held)).map(({ id }) => id)).to.have.members(late.slice(1));
        for (const more of [2, 3]) {
          await attempts.settle(CALLBACK_QUEUE, await take(attempts, CALLBACK_QUEUE), done);
          expect((await waiting(held)).map(({ id }) => id)).to.have.members(late.slice(more));
        }
        expect((await system.store()).queuesHeldBack).to.equal(queuesHeldBack);
        await harness.queueControl.remove(CALLBACK_QUEUE, true);
      });
    }

    // holds: callbacks.on
    it('follows only the ends that a callback names, and counts each', async () => {
      const { queues, jobControl } = harness;
      const [queue, target] = [uniqueQueue(), uniqueQueue()];
      const { id } = await addOne(queues, queue, { callback: { queue: target, on: ['failed'] } });
      await fail(queue, 'no "paper"\n');
      await jobControl.retry(queue, id, {});
      await jobControl.cancel(queue, id, { reason: 'enough' });
      await jobControl.retry(queue, id, {});
      await end(queue);
      const jobs = await waiting(target);
      const bodies = jobs.map(({ name: type, data }) => ({ type, data }));
      const common = { queue, id, name: 'work' };
      expect(bodies.map(({ data }) => (data as { data: object }).data)).to.have.deep.members([
        { ...common, failedReason: 'no "paper"\n', attemptsMade: 1, run: 1 },
        { ...common, failedReason: 'enough', attemptsMade: 0, run: 2 },
      ]);
      expect(bodies.map(({ type }) => type)).to.deep.equal(['job.failed', 'job.failed']);
    });

    // holds: callbacks.queue
    it('adds the event to the queue of a callback, which exists from then on', async () => {
      const { queues, queueDirectory } = harness;
      const [queue, target] = [uniqueQueue(), uniqueQueue()];
      const callback = { queue: target, name: 'results' };
      const { id } = await addOne(queues, queue, { callback });
      await end(queue, { ok: 'é' });
      const [job] = await waiting(target);
      const { finishedOn = 0 } = await read(queues, queue, id);
      expect(job).to.deep.include({ name: 'results', opts: { attempts: 0, delay: 0 } });
      expect(job?.data).to.deep.equal({
        type: 'job.completed',
        timestamp: new Date(finishedOn).toISOString(),
        data: { queue, id, name: 'work', returnvalue: { ok: 'é' }, attemptsMade: 1, run: 1 },
      });
      expect(await queueDirectory.names()).to.include(target);
      await end(target);
    });

    // holds: callbacks.dead-letters
    it('adds a copy of a failed job to its dead letter queue, even if the job is not kept', async () => {
      const { queues } = harness;
      const [queue, target] = [uniqueQueue(), uniqueQueue()];
      const callback = { queue: target, as: 'job', on: ['failed'] } as const;
      const opts = { callback, attempts: 2, removeOnFail: true, group: { id: 'a' } };
      const { id } = await addOne(queues, queue, opts, { to: ['ada', 1.5, []] });
      await fail(queue, 'no paper');
      const [job] = await waiting(target);
      const origin = { queue, id, failedReason: 'no paper', opts: { ...opts, delay: 0 } };
      expect(job).to.deep.include({
        name: 'work',
        data: { to: ['ada', 1.5, []] },
        opts: { attempts: 0, delay: 0, origin },
      });
    });

    // holds: dead-letters.options
    it('keeps in a letter every option of its original, and none of what that was a letter of', async () => {
      const { queues } = harness;
      const [queue, first, second] = [uniqueQueue(), uniqueQueue(), uniqueQueue()];
      const options = {
        jobId: 'order',
        attempts: 2,
        delay: 0,
        backoff: { type: 'linear', delay: 50, jitter: 0.5 },
        priority: 7,
        removeOnFail: { age: 3600 },
        keepLogs: 3,
        ttl: HOUR,
        deduplication: { id: 'order', ttl: HOUR },
        group: { id: 'a', cost: 2 },
      } as const;
      await addOne(queues, queue, options, 'x');
      await giveUp(queue, first);
      await giveUp(first, second);
      const [letter] = await waiting(second);
      const { id } = (
        await listPage(queues, first, {
          statuses: ['failed'],
          start: 0,
          length: 1,
        })
      ).jobs[0] ?? { id: '' };
      expect(letter?.opts['origin']).to.deep.equal({
        queue: first,
        id,
        failedReason: 'Received 3 times',
        opts: { attempts: 0, delay: 0, group: options.group },
      });
      const original = await read(queues, first, id);
      expect((original.opts['origin'] as { opts: object }).opts).to.deep.equal(options);
      // Nothing of the options of the original holds for the letter itself.
      expect(original).to.include({ delay: 0, attemptsMade: 1 });
      expect(original.opts).to.have.all.keys('attempts', 'delay', 'group', 'origin');
    });

    async function giveUp(queue: QueueName, deadLetterQueue: QueueName): Promise<void> {
      const attempt = await take(harness.attempts, queue);
      const reason = 'Received 3 times';
      await harness.attempts.settle(queue, attempt, { kind: 'failed', reason, deadLetterQueue });
    }

    // holds: messages.redrive
    it('adds a copy to the dead letter queue of an ending, in place of the callback', async () => {
      const { queues } = harness;
      const [queue, target, dead] = [uniqueQueue(), uniqueQueue(), uniqueQueue()];
      const group = { id: 'a', cost: 2 };
      const opts = { jobId: 'letter', callback: { queue: target }, removeOnFail: true, group };
      await addOne(queues, queue, opts, { to: 'ada' });
      await giveUp(queue, dead);
      const [copy, ...others] = await waiting(dead);
      expect(others).to.deep.equal([]);
      expect(copy).to.deep.include({
        id: 'letter',
        name: 'work',
        data: { to: 'ada' },
        opts: {
          attempts: 0,
          delay: 0,
          group,
          origin: {
            queue,
            id: 'letter',
            failedReason: 'Received 3 times',
            opts: { ...opts, attempts: 0, delay: 0 },
          },
        },
      });
      expect(await waiting(target)).to.deep.equal([]);
      expect(await harness.queueDirectory.names()).to.include(dead);
      expect((await take(harness.attempts, dead)).jobId).to.equal('letter');
    });

    // holds: messages.redrive
    it('gives the copy another id where that of the job is taken, or a number', async () => {
      const { queues } = harness;
      const [queue, dead] = [uniqueQueue(), uniqueQueue()];
      await addOne(queues, dead, { jobId: 'letter' });
      const { id: number } = await addOne(queues, queue);
      await giveUp(queue, dead);
      await addOne(queues, queue, { jobId: 'letter' }, 'second');
      await giveUp(queue, dead);
      const found = (await waiting(dead)).map(({ id, opts }) => [
        id,
        (opts['origin'] as { id?: string } | undefined)?.id,
      ]);
      expect(found).to.have.deep.members([
        ['letter', undefined],
        ['2', number],
        ['3', 'letter'],
      ]);
      const { calledBack } = await read(queues, queue, 'letter');
      expect(calledBack).to.include({ run: 1 });
      expect((await addOne(queues, dead)).id).to.equal('4');
    });
  });
}
