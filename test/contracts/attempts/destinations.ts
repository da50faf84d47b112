import { expect } from 'chai';
import { kinshipOf, type BatchClaim } from '../../../src/domain/attempts/batch.ts';
import type { Verdict } from '../../../src/domain/attempts/breaker.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addEach, ANY, claimOf, COMPLETED, take, uniqueQueue } from '../queue-steps.ts';
import { claimCall } from './batches.ts';

const ELSEWHERE: JobOptionsInput = { endpoint: { url: 'https://hooks.example.com/in?key=1' } };

const OPEN_FOR = 60_000;
const DOWN: Verdict = {
  isDown: true,
  reason: 'ECONNREFUSED',
  failures: 1,
  openFor: OPEN_FOR,
  maxOpenFor: OPEN_FOR,
};
const UP: Verdict = { ...DOWN, isDown: false, reason: '' };

/** Jobs that name their own destination (further contract, section 23). */
export function describeDestinations(harness: () => QueueHarness): void {
  describe('destinations', () => {
    for (const by of ['queue', 'name'] as const) {
      // holds: destinations.batches
      it(`go alone where calls take several jobs by ${by}`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        await addEach(queues, queue, {}, {}, ELSEWHERE, ELSEWHERE, { priority: 1 });
        const batch: BatchClaim = { by };
        const sizes: number[] = [];
        for (let calls = 0; calls < 5; calls += 1) {
          const claimed = await claimCall(attempts, queue, 10, { batch });
          sizes.push(claimed.attempts.length);
          for (const each of claimed.attempts) await attempts.settle(queue, each, COMPLETED);
        }
        // Calls by name may take the last job from behind the others.
        expect(sizes).to.deep.equal(by === 'name' ? [3, 1, 1, 0, 0] : [2, 1, 1, 1, 0]);
      });
    }

    // holds: destinations.batches
    it('go alone where calls take the jobs of a group', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const group = { id: 'ada' };
      await addEach(queues, queue, { group }, { group, ...ELSEWHERE }, { group });
      const batch: BatchClaim = { by: 'group' };
      for (let calls = 0; calls < 3; calls += 1) {
        expect((await claimCall(attempts, queue, 10, { batch })).attempts).to.have.lengthOf(1);
      }
    });

    // holds: destinations.batches
    it('join no call that runs, and no job joins theirs', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, ELSEWHERE, {});
      const [plain] = (await claimCall(attempts, queue, 1)).attempts;
      const joining = (kin: BatchClaim['kin']) =>
        claimCall(attempts, queue, 2, { batch: { by: 'queue', kin } });
      expect((await joining(kinshipOf(plain!))).attempts).to.deep.equal([]);
      const [alone] = (await claimCall(attempts, queue, 1)).attempts;
      expect(alone?.job.opts.endpoint).to.deep.equal(ELSEWHERE.endpoint);
      const none = await joining(kinshipOf(alone!));
      expect(none.attempts).to.deep.equal([]);
      expect(none.lack, 'a call of its own may start at once').to.have.property('nextAt');
    });

    // holds: destinations.breaker
    it('are no probe of an open breaker, which the next job is', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, ELSEWHERE, {}, {});
      const terms = { ...ANY, hasBreaker: true };
      const first = await take(attempts, queue, terms);
      const down = { kind: 'failed', reason: 'it broke', verdict: DOWN } as const;
      expect((await attempts.settle(queue, first, down)).breaker).to.equal('opened');
      expect((await attempts.claim(queue, claimOf(terms))).kind).to.equal('limited');
      await advance(OPEN_FOR);
      const elsewhere = await take(attempts, queue, terms);
      expect(elsewhere.job.opts).to.have.property('endpoint');
      const probe = await take(attempts, queue, terms);
      expect((await attempts.claim(queue, claimOf(terms))).kind).to.equal('limited');
      await attempts.settle(queue, elsewhere, COMPLETED);
      expect((await attempts.claim(queue, claimOf(terms))).kind).to.equal('limited');
      const up = { kind: 'completed', returnvalue: null, verdict: UP } as const;
      expect((await attempts.settle(queue, probe, up)).breaker).to.equal('closed');
    });

    // holds: destinations.put-off
    it('are put off as jobs that go back after a time, which no limiter counts', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, ELSEWHERE, {});
      const terms = { ...ANY, limiter: { max: 1, duration: 60_000 } };
      const elsewhere = await take(attempts, queue, terms);
      await attempts.release(queue, elsewhere, true, 1000);
      expect(await queues.find(queue, elsewhere.jobId)).to.include({
        state: 'delayed',
        attemptsMade: 0,
      });
      const other = await take(attempts, queue, terms);
      expect(other.jobId).not.to.equal(elsewhere.jobId);
      await advance(1000);
      expect((await take(attempts, queue)).jobId).to.equal(elsewhere.jobId);
    });
  });
}
