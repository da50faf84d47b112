import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { AttemptRecord, EndedCall } from '../../../src/domain/attempts/attempt-record.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  findStalled,
  listPage,
  process,
  read,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

const REPLICA = 'host:1';
const KB = 1024;

const answered = (status: number, response: string): EndedCall => ({
  outcome: status < 210 ? 'completed' : 'failed',
  status,
  response,
});

const completed = (response = ''): AttemptEnding => ({
  kind: 'completed',
  returnvalue: null,
  call: answered(200, response),
});

const retried = (call: EndedCall, reason = 'it broke', delay = 0): AttemptEnding => ({
  kind: 'retry',
  reason,
  delay,
  call,
});

export function describeAttemptsOnRecord(harness: () => QueueHarness): void {
  describe('attempts on record', () => {
    async function recorded(queue: QueueName, id: string): Promise<readonly AttemptRecord[]> {
      const found = await harness().queues.attempts(queue, id);
      if (found === undefined) throw new Error(`Job ${id} is gone`);
      expect(found.count).to.equal(found.attempts.at(-1)?.number ?? 0);
      return found.attempts;
    }

    /** Takes the next job and ends it after some time. */
    async function tried(queue: QueueName, ending: AttemptEnding, ms = 7): Promise<void> {
      const { attempts, advance } = harness();
      const attempt = await take(attempts, queue);
      await advance(ms);
      expect((await attempts.settle(queue, attempt, ending)).held).to.equal(true);
    }

    // holds: delivery.doubt
    it('name what was wrong with an answer that completed a job', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const call = { ...answered(200, '{broken'), doubt: 'no JSON' };
      await tried(queue, { kind: 'completed', returnvalue: '{broken', call });
      const [attempt] = await recorded(queue, id);
      expect(attempt).to.include({ outcome: 'completed', response: '{broken', reason: 'no JSON' });
    });

    // holds: attempts.record
    it('are none before the first, and of no job that is not there', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      expect(await queues.attempts(queue, id)).to.deep.equal({ count: 0, attempts: [] });
      for (const missing of ['2', '1:logs', '']) {
        expect(await queues.attempts(queue, missing), missing).to.equal(undefined);
      }
      expect(await queues.attempts(uniqueQueue(), '1')).to.equal(undefined);
    });

    for (const limiter of [undefined, { max: 100, duration: 1000 }]) {
      // holds: attempts.record, attempts.outcomes
      it(`include one that completed${limiter ? ', of a limited queue' : ''}`, async () => {
        const { queues, attempts, now, advance } = harness();
        const queue = uniqueQueue();
        const { id } = await addOne(queues, queue);
        const terms = limiter ? { ...ANY, limiter } : ANY;
        const startedAt = now();
        const attempt = await take(attempts, queue, terms);
        await advance(12);
        await attempts.settle(queue, attempt, completed('{"a": "ü\n"}'), claimOf(terms));
        expect(await recorded(queue, id)).to.deep.equal([
          {
            number: 1,
            startedAt,
            endedAt: startedAt + 12,
            outcome: 'completed',
            status: 200,
            reason: null,
            response: '{"a": "ü\n"}',
            replica: REPLICA,
            traceId: null,
          },
        ]);
      });
    }

    for (const [call, reason] of [
      [answered(500, 'it broke'), 'it broke'],
      [answered(422, '{"message":"no such address"}'), 'no such address'],
      [answered(503, ''), 'HTTP 503'],
      [{ outcome: 'timeout' }, 'Endpoint call timed out after 30 ms'],
      [{ outcome: 'refused' }, 'ECONNREFUSED http://localhost:1'],
    ] as const satisfies readonly (readonly [EndedCall, string])[]) {
      const { outcome } = call;
      const { status, response }: EndedCall = call;
      // holds: attempts.outcomes
      it(`include one that failed, and how: ${outcome} ${reason}`, async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const { id } = await addOne(queues, queue, { attempts: 3 });
        await tried(queue, retried(call, reason));
        await tried(queue, retried(call, reason, 5));
        await harness().advance(5);
        await tried(queue, { kind: 'failed', reason, call });
        const found = await recorded(queue, id);
        expect(found.map(({ number }) => number)).to.deep.equal([1, 2, 3]);
        for (const attempt of found) {
          expect(attempt).to.include({ outcome, reason, replica: REPLICA });
          expect([attempt.status, attempt.response]).to.deep.equal([
            status ?? null,
            response ?? null,
          ]);
          expect(attempt.endedAt - attempt.startedAt).to.equal(7);
        }
      });
    }

    // holds: attempts.record
    it('include all that end at once, each in the record of its own job', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, ...Array.from({ length: 6 }, () => ({})));
      const taken = await Promise.all([1, 2, 3, 4].map(() => take(attempts, queue)));
      await Promise.all(
        taken.map((attempt, index) =>
          attempts.settle(
            queue,
            attempt,
            index === 2 ? COMPLETED : completed(`answer ${attempt.jobId}`),
            claimOf(ANY),
          ),
        ),
      );
      for (const id of ids.slice(0, 4)) {
        const responses = (await recorded(queue, id)).map(({ response }) => response);
        const told = id === taken[2]!.jobId ? [] : [`answer ${id}`];
        expect(responses).to.deep.equal(told);
      }
    });

    // holds: attempts.last-ten
    it('are the last ten, and counted on after a retry by hand', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 100 });
      const long = 'x'.repeat(KB);
      for (let count = 1; count <= 12; count += 1) {
        await tried(queue, retried(answered(500, long), `reason ${count}`));
      }
      await tried(queue, completed());
      const numbers = async (): Promise<number[]> =>
        (await recorded(queue, id)).map(({ number }) => number);
      expect(await numbers()).to.deep.equal([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
      await jobControl.retry(queue, id, {});
      await tried(queue, completed('again'));
      expect(await numbers()).to.deep.equal([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
      await jobControl.retry(queue, id, {});
      await tried(queue, { kind: 'failed', reason: 'no', call: answered(500, long) });
      expect(await numbers()).to.deep.equal([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
      const [first] = await recorded(queue, id);
      expect(first).to.include({ reason: 'reason 6', response: long });
    });

    // holds: attempts.outcomes
    it('include one that stalled, and what followed', async () => {
      const { queues, attempts, advance, now } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const startedAt = now();
      const { token } = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      expect(await findStalled(harness(), queue)).to.deep.equal([id]);
      const stalledAt = now();
      await tried(queue, completed());
      const [stalled, ended, ...others] = await recorded(queue, id);
      expect(stalled).to.deep.equal({
        number: 1,
        startedAt,
        endedAt: stalledAt,
        outcome: 'stalled',
        status: null,
        reason: null,
        response: null,
        replica: REPLICA,
        traceId: null,
        taken: { token, starts: 1 },
      });
      expect(ended).to.include({ number: 2, startedAt: stalledAt, outcome: 'completed' });
      expect(others).to.deep.equal([]);
    });

    // holds: attempts.outcomes
    it('include one that was cancelled while it ran, and no other', async () => {
      const { queues, attempts, jobControl, now, advance } = harness();
      const queue = uniqueQueue();
      const [running, waiting] = await addEach(queues, queue, {}, {});
      const startedAt = now();
      const attempt = await take(attempts, queue);
      await advance(3);
      const reason = 'ordered "twice"\nby ü';
      for (const id of [running!, waiting!]) await jobControl.cancel(queue, id, { reason });
      await attempts.settle(queue, attempt, completed());
      expect(await recorded(queue, running!)).to.deep.equal([
        {
          number: 1,
          startedAt,
          endedAt: startedAt + 3,
          outcome: 'cancelled',
          status: null,
          reason,
          response: null,
          replica: REPLICA,
          traceId: null,
          taken: { token: attempt.token, starts: 1 },
        },
      ]);
      expect(await recorded(queue, waiting!)).to.deep.equal([]);
    });

    // holds: attempts.record
    it('include none that was put back, that lost its job, or that tried nothing', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await attempts.release(queue, await take(attempts, queue));
      const lost = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await findStalled(harness(), queue);
      await attempts.settle(queue, lost, completed('too late'));
      await process(attempts, queue, { kind: 'failed', reason: 'no attempts' });
      expect((await recorded(queue, id)).map(({ outcome }) => outcome)).to.deep.equal(['stalled']);
    });

    // holds: attempts.record
    it('include one whose lock ran out, as long as it holds its job', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await attempts.settle(queue, attempt, completed('late'));
      expect((await recorded(queue, id)).map(({ response }) => response)).to.deep.equal(['late']);
    });

    // holds: attempts.not-shown
    it('are shown by nothing else', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 3 });
      const before = Object.keys(await read(queues, queue, id));
      await tried(queue, retried(answered(500, 'z'.repeat(KB))));
      const attempt = await take(attempts, queue);
      const { jobs } = await listPage(queues, queue, {
        statuses: JOB_STATUSES,
        start: 0,
        length: 9,
      });
      for (const job of [attempt.job, await read(queues, queue, id), ...jobs]) {
        expect(Object.keys(job)).to.have.members([...before, 'failedReason', 'processedOn']);
        expect(JSON.stringify(job)).not.to.contain('zzz');
      }
    });

    // holds: attempts.removed
    it('go with their job, whether it is kept no longer or removed', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      for (const keep of [{ count: 0 }, {}]) {
        await addOne(queues, queue, { jobId: 'again' });
        await tried(queue, { ...completed(), keep } as AttemptEnding);
        await jobControl.remove(queue, 'again');
        expect(await queues.attempts(queue, 'again')).to.equal(undefined);
      }
      await addOne(queues, queue, { jobId: 'again' });
      expect(await recorded(queue, 'again')).to.deep.equal([]);
    });
  });
}
