import { expect } from 'chai';
import {
  JOBS_PER_REDACTION,
  type KeptPayloads,
  type RedactionPort,
} from '../../src/application/ports/redaction-port.ts';
import type { EventOrGap } from '../../src/domain/events/queue-event.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { FlowSteps } from './flows/flow-steps.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addOne,
  countsOf,
  idOf,
  listed,
  logsOf,
  process,
  read,
  retryAfter,
  take,
  uniqueQueue,
} from './queue-steps.ts';
import { manyEndedBesideOne } from './many-ended.ts';
import { isVolumePlayedOn } from './played-on.ts';

const SECRET = 'ada@example.com';

/** An event as it stays of a job whose values are gone. */
function withoutValue(event: EventOrGap, jobId: string): EventOrGap {
  if (event.name === 'gap' || event.data.jobId !== jobId) return event;
  const { progress, line, returnvalue, failedReason, reason, ...data } = event.data;
  const values = [progress, line, returnvalue, failedReason, reason];
  return values.every((value) => value === undefined) ? event : { ...event, data };
}

/** What every RedactionPort promises. */
export function describeRedactionPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`RedactionPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    /** Makes steps until nothing is left. @returns how many jobs each of them redacted. */
    async function sweep(
      queues: readonly KeptPayloads[],
      redaction: RedactionPort = harness.redaction,
    ): Promise<readonly number[]> {
      const counts: number[] = [];
      for (let left = queues; left.length > 0;) {
        const step = await redaction.redactBeyond(left);
        counts.push(step.count);
        ({ left } = step);
      }
      return counts;
    }
    const redacted = async (queue: QueueName, keep = 0): Promise<number> =>
      (await sweep([{ queue, keep }])).reduce((sum, each) => sum + each, 0);

    /** Takes the next job through a log line, progress and an attempt that fails, up to its last attempt. */
    async function failOnce(queue: QueueName): Promise<void> {
      const { attempts } = harness;
      const attempt = await take(attempts, queue);
      await attempts.addLog(queue, attempt, `to ${SECRET}`);
      await attempts.reportProgress(queue, attempt, { to: SECRET });
      await attempts.settle(queue, attempt, {
        ...retryAfter(0, `HTTP 500: no "${SECRET}"`),
        call: { outcome: 'failed', status: 500, response: `no "${SECRET}"` },
      });
    }

    // holds: payloads.values
    it('removes the values of a job that completed, and keeps the job', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 2 }, { to: SECRET });
      await failOnce(queue);
      await process(attempts, queue, {
        kind: 'completed',
        returnvalue: { sent: SECRET },
        call: { outcome: 'completed', status: 200, response: SECRET },
      });
      const before = await read(queues, queue, id);
      const attemptsBefore = await queues.attempts(queue, id);
      expect(await redacted(queue)).to.equal(1);
      const job = await read(queues, queue, id);
      expect(job).to.deep.include({
        data: null,
        returnvalue: null,
        progress: 0,
        stacktrace: null,
        redactedOn: harness.now(),
        state: 'completed',
        attemptsMade: before.attemptsMade,
        timestamp: before.timestamp,
        processedOn: before.processedOn,
        finishedOn: before.finishedOn,
      });
      expect(await logsOf(queues, queue, id)).to.deep.equal({ count: 0, logs: [] });
      const after = await queues.attempts(queue, id);
      expect(after?.attempts).to.deep.equal(
        attemptsBefore?.attempts.map((attempt) => ({
          ...attempt,
          response: null,
          reason: attempt.reason === null ? null : 'HTTP 500: no "…"',
        })),
      );
      expect(JSON.stringify([job, after])).not.to.include(SECRET);
      expect(await listed(queues, queue, 'completed')).to.deep.equal([id]);
    });

    // holds: payloads.causes
    it('leaves the cause of a failure', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, {}, { to: SECRET });
      await process(attempts, queue, { kind: 'failed', reason: `HTTP 422: not ${SECRET}` });
      expect(await redacted(queue)).to.equal(1);
      const job = await read(queues, queue, id);
      expect(job).to.include({ state: 'failed', failedReason: 'HTTP 422: not #', data: null });
      expect(job.stacktrace).to.equal(null);
    });

    // holds: payloads.keep
    it('redacts only jobs that ended longer ago than their values are kept', async () => {
      const { queues, attempts, advance } = harness;
      const queue = uniqueQueue();
      for (let count = 0; count < 3; count += 1) await addOne(queues, queue, {}, SECRET);
      const first = await process(attempts, queue, { kind: 'completed', returnvalue: 1 });
      await advance(1000);
      const second = await process(attempts, queue, { kind: 'failed', reason: 'broken' });
      await advance(500);
      await take(attempts, queue);
      expect(await redacted(queue, 1000)).to.equal(1);
      expect(await redacted(queue, 1000)).to.equal(0);
      expect(await read(queues, queue, first)).to.include({ data: null });
      expect(await read(queues, queue, second)).to.include({ data: SECRET });
      await advance(600);
      expect(await redacted(queue, 1000)).to.equal(1);
      expect(await read(queues, queue, second)).to.include({ data: null, failedReason: 'broken' });
      const counts = await countsOf(queues, queue);
      expect(counts).to.include({ completed: 1, failed: 1, active: 1 });
    });

    // holds: payloads.values
    it('drops the callback of a job, whose address and headers are its own', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      const callback = { queue: `${queue}-results`, on: ['failed' as const] };
      const { id } = await addOne(queues, queue, { attempts: 3, callback });
      await process(attempts, queue, { kind: 'completed', returnvalue: null });
      await redacted(queue);
      expect((await read(queues, queue, id)).opts).to.deep.equal({ attempts: 3, delay: 0 });
    });

    // holds: payloads.events
    it('removes the values of the job from kept events, which stay, and from no others', async () => {
      const { queues, attempts, events, advance } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 2 });
      await failOnce(queue);
      await process(attempts, queue, { kind: 'completed', returnvalue: SECRET });
      await advance(1000);
      const { id: other } = await addOne(queues, queue);
      await process(attempts, queue, { kind: 'completed', returnvalue: 'other' });
      const before = await events.read(queue, '0-0');
      expect(await redacted(queue, 1000)).to.equal(1);
      const kept = await events.read(queue, '0-0');
      expect(kept.events).to.deep.equal(before.events.map((event) => withoutValue(event, id)));
      expect(JSON.stringify(kept)).not.to.include(SECRET);
      expect(kept.events.filter(({ name }) => name === 'completed')).to.have.length(2);
      expect(JSON.stringify(kept)).to.include(`"jobId":"${other}","returnvalue":"other"`);
      const middle = Math.floor(before.events.length / 2);
      const resumed = await events.read(queue, idOf(before.events[middle]!));
      expect(resumed.events).to.deep.equal(kept.events.slice(middle + 1));
      expect(resumed).not.to.have.property('lostBefore');
    });

    // holds: payloads.flows
    it('removes what a child returned from its parent, and with a parent from all of it', async () => {
      const steps = new FlowSteps(harness);
      const [parent] = await steps.added([{}, {}]);
      await steps.complete(steps.below, SECRET);
      expect(await redacted(steps.below)).to.equal(1);
      const returned = async (): Promise<readonly unknown[]> =>
        (await steps.children(parent!)).map(({ returnvalue }) => returnvalue);
      expect(await returned()).to.deep.equal([null, null]);
      await steps.complete(steps.below, SECRET);
      expect(await returned()).to.have.members([null, SECRET]);
      expect(await steps.stateOf(parent!)).to.equal('waiting');
      await steps.complete(steps.above, SECRET);
      expect(await redacted(steps.above)).to.equal(1);
      expect(await returned()).to.deep.equal([null, null]);
    });

    // holds: payloads.retry
    it('refuses to retry a redacted job', async () => {
      const { queues, attempts, jobControl } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await process(attempts, queue, { kind: 'failed', reason: 'broken' });
      await redacted(queue);
      const refused = { kind: 'redacted' };
      expect(await jobControl.retry(queue, id, {})).to.deep.equal(refused);
      expect(await jobControl.retry(queue, id, { data: 1 }, ['failed'])).to.deep.equal(refused);
      expect(await read(queues, queue, id)).to.include({ state: 'failed' });
      expect(await jobControl.removeAlone(queue, id)).to.deep.equal({ kind: 'done' });
    });

    if (isVolumePlayedOn(name)) {
      // holds: payloads.steps
      it('redacts many in short steps, in which other queues have their turn', async () => {
        const [large, small] = await manyEndedBesideOne(
          harness,
          2 * JOBS_PER_REDACTION + 50,
          SECRET,
        );
        const both = [large, small].map((queue) => ({ queue, keep: 0 }));
        const first = await harness.redaction.redactBeyond(both);
        expect(first.count).to.equal(JOBS_PER_REDACTION);
        expect(first.left.map(({ queue }) => queue)).to.deep.equal([small, large]);
        const counts = await sweep(first.left, (await harness.replica()).redaction);
        expect(Math.max(...counts)).to.equal(JOBS_PER_REDACTION);
        expect(counts.reduce((sum, each) => sum + each)).to.equal(JOBS_PER_REDACTION + 51);
        expect(await redacted(large)).to.equal(0);
      });
    }

    it('creates no queue', async () => {
      const queue = uniqueQueue();
      expect(await redacted(queue)).to.equal(0);
      expect(await harness.queueDirectory.glances([queue])).to.deep.equal([undefined]);
    });
  });
}
