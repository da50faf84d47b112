import { expect } from 'chai';
import { KEPT_LOG_LINES } from '../../../src/domain/jobs/job-options.ts';
import { rounds } from '../../support/lane.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addOne,
  COMPLETED,
  logsOf,
  process,
  read,
  retryAfter,
  take,
  uniqueQueue,
} from '../queue-steps.ts';
import { DEAD_TOKENS } from './dead-tokens.ts';

/** How many lines of a log are more than the 16 MB that stores keep in memory, or the 1 MB of the embedded store in tests. */
const MANY = rounds(45, 8);

const LINES = ['', ' ', '0', '{"a":1}', 'two\nlines\r\n', 'ünï 日本 🚀', 'x'.repeat(100_000)];

export function describeLogs(harness: () => QueueHarness): void {
  describe('logs', () => {
    // holds: log.lines
    it('keeps every line as it is, oldest first', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const { job, token } = await take(attempts, queue);
      for (const line of LINES) {
        expect(await attempts.addLog(queue, { jobId: job.id, token: token }, line)).to.equal(true);
      }
      expect(await logsOf(queues, queue, job.id, 0, 100)).to.deep.equal({
        count: LINES.length,
        logs: LINES,
      });
      expect(await queues.find(queue, job.id)).to.deep.equal(job);
    });

    // holds: log.lines, store.size
    it('keeps every line of a log that is larger than the memory for it', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const { job, token } = await take(attempts, queue);
      const lines = Array.from({ length: MANY }, (_, index) => `${index} `.padEnd(400_000, 'x'));
      for (const line of lines) await attempts.addLog(queue, { jobId: job.id, token }, line);
      await advance(1000);
      const replica = await harness().replica();
      for (const from of [queues, replica.queues]) {
        for (const [start, length] of [
          [0, 100],
          [5, 2],
        ] as const) {
          const { count, logs } = (await logsOf(from, queue, job.id, start, length))!;
          const wrong = logs.flatMap((line, index) =>
            line === lines[start + index] ? [] : [index],
          );
          const expected = lines.slice(start, start + length).length;
          expect([count, logs.length, wrong]).to.deep.equal([MANY, expected, []]);
        }
      }
      await replica.attempts.addLog(queue, { jobId: job.id, token }, 'the last one');
      await advance(1000);
      const { logs } = (await logsOf(queues, queue, job.id, MANY - 1, 10))!;
      expect(logs.map((line) => line.slice(0, 12))).to.deep.equal([
        `${MANY - 1} `.padEnd(12, 'x'),
        'the last one',
      ]);
    });

    // holds: log.lines
    it('answers with the lines asked for and the count of all', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const { job, token } = await take(attempts, queue);
      const lines = Array.from({ length: 250 }, (_, index) => `line ${String(index)}`);
      for (const line of lines) await attempts.addLog(queue, { jobId: job.id, token: token }, line);
      for (const [start, length] of [
        [0, 10],
        [0, 1],
        [10, 10],
        [245, 10],
        [249, 1],
        [250, 10],
        [5000, 10],
        [0, 0],
        [7, 0],
        [0, 1000],
        [0, Number.MAX_SAFE_INTEGER],
      ] as const) {
        expect(await logsOf(queues, queue, job.id, start, length)).to.deep.equal({
          count: 250,
          logs: lines.slice(start, start + length),
        });
      }
    });

    // holds: bounds.pieces
    it('come in pieces, in their order, however long the lines are', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const { token } = await take(attempts, queue);
      const lines = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(65_000)}`);
      for (const line of lines) await attempts.addLog(queue, { jobId: id, token: token }, line);
      for (const [start, length] of [
        [0, 1000],
        [3, 20],
        [29, 1],
        [30, 1],
        [5, 0],
      ] as const) {
        const { count, logs } = (await queues.logs(queue, id, start, length))!;
        const read: string[] = [];
        for await (const piece of logs) {
          expect(piece.length).to.be.below(6);
          read.push(...piece);
        }
        expect({ count, read }).to.deep.equal({
          count: 30,
          read: lines.slice(start, start + length),
        });
      }
    });

    it('distinguishes a job without lines from one that does not exist', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      expect(await logsOf(queues, queue, '1')).to.equal(undefined);
      const { id } = await addOne(queues, queue);
      expect(await logsOf(queues, queue, id)).to.deep.equal({ count: 0, logs: [] });
      expect(await logsOf(queues, queue, 'unknown')).to.equal(undefined);
    });

    it('keeps the lines of all attempts, also after the job has ended', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      for (const [line, ending] of [
        ['first attempt', retryAfter(0)],
        ['second attempt', COMPLETED],
      ] as const) {
        const attempt = await take(attempts, queue);
        await attempts.addLog(queue, { jobId: id, token: attempt.token }, line);
        await attempts.settle(queue, attempt, ending);
      }
      const expected = { count: 2, logs: ['first attempt', 'second attempt'] };
      expect(await logsOf(queues, queue, id)).to.deep.equal(expected);
    });

    // holds: bounds.log-lines
    it('keep the last lines of very many', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const { token } = await take(attempts, queue);
      const lines = Array.from({ length: KEPT_LOG_LINES + 3 }, (_, index) => `line ${index}`);
      await Promise.all(
        lines.map((line) => attempts.addLog(queue, { jobId: id, token: token }, line)),
      );
      const kept = lines.slice(3);
      expect(await logsOf(queues, queue, id, 0, KEPT_LOG_LINES + 3)).to.deep.equal({
        count: KEPT_LOG_LINES,
        logs: kept,
      });
    });

    // holds: job-options.keep-logs
    it('keep as many lines as their job was added with', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { keepLogs: 2 });
      const attempt = await take(attempts, queue);
      for (const line of ['a', 'b', 'c']) await attempts.addLog(queue, attempt, line);
      expect(await logsOf(queues, queue, id)).to.deep.equal({ count: 2, logs: ['b', 'c'] });
    });

    it('go with the job when it is removed', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { jobId: 'same' });
      const attempt = await take(attempts, queue);
      await attempts.addLog(queue, { jobId: id, token: attempt.token }, 'line');
      const ending = { kind: 'completed', returnvalue: null, keep: { count: 0 } } as const;
      await attempts.settle(queue, attempt, ending);
      expect(await logsOf(queues, queue, id)).to.equal(undefined);
      await addOne(queues, queue, { jobId: 'same' });
      expect(await logsOf(queues, queue, id)).to.deep.equal({ count: 0, logs: [] });
    });

    it('of jobs of the same id in two queues are kept apart', async () => {
      const { queues, attempts } = harness();
      const [queue, other] = [uniqueQueue(), uniqueQueue()];
      for (const name of [queue, other]) await addOne(queues, name, { jobId: 'same' });
      const { token } = await take(attempts, queue);
      await attempts.addLog(queue, { jobId: 'same', token: token }, 'line');
      expect(await logsOf(queues, other, 'same')).to.deep.equal({ count: 0, logs: [] });
      await process(attempts, other, COMPLETED);
    });

    for (const [title, tokenOf] of DEAD_TOKENS) {
      // holds: auth.job-token, job-token.dead
      it(`refuse a line that comes with ${title}`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const { id, token } = await tokenOf(harness(), queue);
        const before = await read(queues, queue, id);
        expect(await attempts.addLog(queue, { jobId: id, token: token }, 'line')).to.equal(false);
        expect(await logsOf(queues, queue, id)).to.deep.equal({ count: 0, logs: [] });
        expect(await queues.find(queue, id)).to.deep.equal(before);
      });
    }

    it('refuse a line for a job that does not exist', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      expect(await attempts.addLog(queue, { jobId: 'unknown', token: 'token' }, 'line')).to.equal(
        false,
      );
      expect(await logsOf(queues, queue, 'unknown')).to.equal(undefined);
    });
  });
}
