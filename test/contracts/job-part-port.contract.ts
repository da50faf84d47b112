import { expect } from 'chai';
import type { JobSummary } from '../../src/domain/jobs/job-summary.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { collected } from '../support/collected.ts';
import { FlowSteps } from './flows/flow-steps.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, COMPLETED, HOUR, jobOf, process, take, uniqueQueue } from './queue-steps.ts';

/** What every JobPartPort promises. */
export function describeJobPartPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`JobPartPort: ${name}`, () => {
    let harness: QueueHarness;
    let queue: QueueName;

    before(async () => {
      harness = await createHarness();
    });
    beforeEach(() => {
      queue = uniqueQueue();
    });
    after(() => harness.dispose());

    async function summary(id: string, of = queue): Promise<JobSummary | undefined> {
      const { jobParts } = await harness.replica();
      const [found] = await collected(jobParts.summaries(of, [id]));
      return found;
    }

    // holds: summaries.fields
    it('summarizes a job that waits', async () => {
      const data = { text: 'ä'.repeat(1000) };
      const [job] = await harness.queues.add(queue, [jobOf({ priority: 7, attempts: 3 }, data)]);
      const timestamp = job!.timestamp;
      expect(await summary('1')).to.deep.equal({
        id: '1',
        name: jobOf().name,
        state: 'prioritized',
        timestamp,
        processedOn: null,
        finishedOn: null,
        dueAt: null,
        priority: 7,
        attemptsMade: 0,
        attempts: 3,
        progress: 0,
        failedReason: null,
        lastStatus: null,
        group: null,
        parent: null,
        dataSize: Buffer.byteLength(JSON.stringify(data)),
      });
    });

    // holds: summaries.fields
    it('summarizes jobs that failed and that are delayed', async () => {
      await addOne(harness.queues, queue);
      const reason = `${'€'.repeat(199)}😀 and more`;
      const call = { outcome: 'failed', status: 503, response: 'no\\n"yet"' } as const;
      await process(harness.attempts, queue, { kind: 'failed', reason, call });
      const failed = await summary('1');
      expect(failed).to.include({ state: 'failed', attemptsMade: 1, lastStatus: 503 });
      expect(failed?.failedReason).to.equal(`${'€'.repeat(199)}\ufffd`);
      expect(failed?.finishedOn).to.be.a('number');
      expect(failed?.processedOn).to.be.a('number');
      const [job] = await harness.queues.add(queue, [jobOf({ delay: HOUR })]);
      const delayed = await summary('2');
      expect(delayed?.state).to.equal('delayed');
      expect(delayed?.dueAt).to.be.within(job!.timestamp! + HOUR - 5, job!.timestamp! + HOUR + 5);
    });

    // holds: summaries.fields
    it('has no status of an earlier attempt for a job that was cancelled while it waited', async () => {
      await addOne(harness.queues, queue);
      const call = { outcome: 'failed', status: 500 } as const;
      await process(harness.attempts, queue, { kind: 'retry', reason: 'no', delay: HOUR, call });
      expect((await summary('1'))?.lastStatus).to.equal(500);
      await harness.advance(2);
      await harness.jobControl.cancel(queue, '1', { reason: 'no longer needed' });
      const cancelled = await summary('1');
      expect(cancelled).to.include({ state: 'failed', lastStatus: null });
      expect(cancelled?.failedReason).to.equal('no longer needed');
    });

    // holds: summaries.fields
    it('summarizes progress that is a number, and the parent of a job', async () => {
      const steps = new FlowSteps(harness);
      const [parent, child] = await steps.added([{}]);
      const { id } = parent!;
      expect(await summary(child!.id, steps.below)).to.deep.include({
        state: 'waiting',
        parent: { queue: steps.above, id },
      });
      expect(await summary(id, steps.above)).to.include({ state: 'waiting-children' });
      await addOne(harness.queues, queue);
      const attempt = await take(harness.attempts, queue);
      for (const [progress, shown] of [
        [42.5, 42.5],
        [{ step: 1 }, null],
        ['42', null],
      ] as const) {
        await harness.attempts.reportProgress(queue, attempt, progress);
        expect((await summary('1'))?.progress).to.equal(shown);
      }
    });

    // holds: summaries.lists
    it('lists as the list of jobs does, however many there are', async () => {
      const jobs = Array.from({ length: 450 }, (_, index) => jobOf({}, index));
      await harness.queues.add(queue, [...jobs, jobOf({ delay: HOUR })]);
      const query = { statuses: ['waiting', 'delayed'], start: 10, length: 441 } as const;
      const whole = await harness.queues.list(queue, query);
      const slice = await harness.jobParts.list(queue, query);
      expect(slice.counts).to.deep.equal(whole.counts);
      const ids = (await collected(whole.jobs)).map(({ id, state }) => [id, state]);
      expect((await collected(slice.jobs)).map(({ id, state }) => [id, state])).to.deep.equal(ids);
      expect(ids).to.have.length(441);
      const some = await collected(harness.jobParts.summaries(queue, ['3', 'none', '1']));
      expect(some.map(({ id }) => id)).to.deep.equal(['3', '1']);
    });

    // holds: summaries.values
    it('reads a value of a job as it is stored', async () => {
      await harness.queues.add(queue, [jobOf({}, { text: 'ä' })]);
      const read = async (value: 'data' | 'returnvalue', id = '1'): Promise<string | undefined> =>
        (await harness.jobParts.value(queue, id, value))?.toString();
      expect(await read('data')).to.equal('{"text":"ä"}');
      expect(await read('returnvalue')).to.equal('null');
      await process(harness.attempts, queue, { ...COMPLETED, returnvalue: [1] });
      expect(await read('returnvalue')).to.equal('[1]');
      expect(await read('data', 'none')).to.equal(undefined);
    });
  });
}
