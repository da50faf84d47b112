import { expect } from 'chai';
import type { AttemptEnginePort } from '../../../src/application/ports/attempt-engine-port.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { ClaimedBatch } from '../../../src/domain/attempts/claim.ts';
import {
  BATCH_ID_LENGTH,
  batchIdOf,
  kinshipOf,
  type BatchClaim,
} from '../../../src/domain/attempts/batch.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  ANY,
  claimOf,
  COMPLETED,
  findStalled,
  HOUR,
  jobOf,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

const tokens = new RandomTokens();
const BY_QUEUE: BatchClaim = { by: 'queue' };

/** Tokens of one call. */
function tokensOf(id: string, count: number): readonly string[] {
  return Array.from({ length: count }, () => id + tokens.draw().slice(BATCH_ID_LENGTH));
}

/** Claims up to `size` jobs for one call. */
export function claimCall(
  attempts: AttemptEnginePort,
  queue: QueueName,
  size: number,
  { batch = BY_QUEUE, id = batchIdOf(tokens.draw()), terms = ANY } = {},
): Promise<ClaimedBatch> {
  return attempts.claimBatch(queue, { ...terms, batch, tokens: tokensOf(id, size) });
}

const idsOf = ({ attempts }: ClaimedBatch): readonly string[] => attempts.map(({ jobId }) => jobId);

export function describeBatches(harness: () => QueueHarness): void {
  describe('batches', () => {
    // holds: batches.claim
    it('take jobs for one call in their order, and say when there are no more', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const added = await queues.add(
        queue,
        Array.from({ length: 130 }, () => jobOf()),
      );
      const ids = added.map(({ id }) => id);
      const full = await claimCall(attempts, queue, 120);
      expect(idsOf(full)).to.deep.equal(ids.slice(0, 120));
      expect(full.lack).to.equal(undefined);
      const rest = await claimCall(attempts, queue, 120);
      expect(idsOf(rest)).to.deep.equal(ids.slice(120));
      expect(rest.lack?.kind).to.equal('idle');
    });

    // holds: batches.concurrency
    it('count as one call for the concurrency, over all replicas, until the last job ends', async () => {
      const { queues, attempts } = harness();
      const replica = await harness().replica();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {}, {}, {}, {}, {});
      const terms = { ...ANY, concurrency: 2 };
      const id = batchIdOf(tokens.draw());
      const first = await claimCall(attempts, queue, 2, { terms, id });
      const second = await claimCall(replica.attempts, queue, 2, { terms });
      expect(second.attempts).to.have.lengthOf(2);
      expect((await claimCall(attempts, queue, 1, { terms })).lack?.kind).to.equal('idle');
      const kin = kinshipOf(first.attempts[0]!);
      const more = await claimCall(attempts, queue, 1, { terms, id, batch: { by: 'queue', kin } });
      expect(more.attempts, 'the call that runs takes more').to.have.lengthOf(1);
      const all = [...first.attempts, ...more.attempts];
      for (const each of all.slice(1)) await attempts.settle(queue, each, COMPLETED);
      expect((await claimCall(replica.attempts, queue, 1, { terms })).attempts).to.have.lengthOf(0);
      await attempts.settle(queue, all[0]!, COMPLETED);
      expect((await claimCall(replica.attempts, queue, 1, { terms })).attempts).to.have.lengthOf(1);
    });

    // holds: batches.limits
    it('count each job for the limiter', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {}, {});
      const terms = { ...ANY, limiter: { max: 3, duration: 60_000 } };
      const claimed = await claimCall(attempts, queue, 4, { terms });
      expect(claimed.attempts).to.have.lengthOf(3);
      expect(claimed.lack?.kind).to.equal('limited');
    });

    // holds: batches.limits
    it('count no job for the limiters that goes back as the call has no room for it', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, ...['x', 'x', 'x'].map((id) => ({ group: { id } })));
      const limiter = { max: 3, duration: 60_000 };
      for (const terms of [
        { ...ANY, limiter },
        { ...ANY, groups: { limiter } },
      ]) {
        const { attempts: taken } = await claimCall(attempts, queue, 3, { terms });
        expect(taken).to.have.lengthOf(3);
        for (const each of taken.toReversed()) await attempts.release(queue, each, true);
      }
      const terms = { ...ANY, limiter, groups: { limiter } };
      expect((await claimCall(attempts, queue, 3, { terms })).attempts).to.have.lengthOf(3);
      await addEach(queues, queue, { group: { id: 'x' } }, {});
      expect((await claimCall(attempts, queue, 1, { terms })).lack?.kind).to.equal('limited');
    });

    // holds: batches.by
    it('have jobs of one name, where calls are by name', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const names = ['a', 'b', 'a', 'b', 'a'];
      await queues.add(
        queue,
        names.map((name) => ({ ...jobOf(), name })),
      );
      const batch: BatchClaim = { by: 'name' };
      const namesOf = (call: ClaimedBatch): string =>
        call.attempts.map(({ job }) => job.name).join('');
      const first = await claimCall(attempts, queue, 4, { batch });
      expect(namesOf(first)).to.equal('aaa');
      expect(first.attempts.map(({ jobId }) => jobId)).to.deep.equal(['1', '3', '5']);
      const { lack } = first;
      const isClosed = lack?.kind === 'idle' && (lack.nextAt ?? Infinity) <= harness().now();
      expect(isClosed, 'the next job may not join').to.equal(true);
      await addEach(queues, queue, { priority: 1 });
      expect(namesOf(await claimCall(attempts, queue, 4, { batch }))).to.equal('bb');
    });

    // holds: batches.by
    it('leave jobs of other names in the order in which these fell due', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const jobs = ['a', 'b', 'c', 'd', 'a'].map((name, index) => ({
        ...jobOf({ delay: 100 + index }),
        name,
      }));
      await queues.add(queue, jobs);
      await advance(200);
      const sameName = await claimCall(attempts, queue, 4, { batch: { by: 'name' } });
      expect(idsOf(sameName)).to.deep.equal(['1', '5']);
      expect(idsOf(await claimCall(attempts, queue, 4))).to.deep.equal(['2', '3', '4']);
    });

    // holds: batches.by
    it('have jobs of one group, where calls are by group, and take their turns', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const groups = ['x', 'x', 'x', 'y', 'y', ''];
      await addEach(queues, queue, ...groups.map((id) => (id === '' ? {} : { group: { id } })));
      const batch: BatchClaim = { by: 'group' };
      const groupsOf = (call: ClaimedBatch): string =>
        call.attempts.map(({ job }) => job.opts.group?.id ?? '-').join('');
      const calls = [];
      for (let call = 0; call < 4; call += 1) {
        calls.push(groupsOf(await claimCall(attempts, queue, 2, { batch })));
      }
      expect(calls).to.have.members(['xx', 'yy', '-', 'x']);
      expect(calls[3], 'behind the turns of the others').to.equal('x');
    });

    // holds: batches.order
    it('have one job of an ordered group at most', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const options = ['x', 'x', 'y'].map((id) => ({ group: { id } }));
      await addEach(queues, queue, ...options);
      const terms = { ...ANY, groups: { ordered: 'skip' as const } };
      const { attempts: taken } = await claimCall(attempts, queue, 3, { terms });
      expect(taken.map(({ job }) => job.opts.group?.id)).to.deep.equal(['x', 'y']);
    });

    // holds: batches.split
    it('come again in halves, in their order, and count the first call alone', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, ...Array.from({ length: 5 }, () => ({ attempts: 3 })));
      const { attempts: taken } = await claimCall(attempts, queue, 4);
      await Promise.all(
        taken.map((each, index) => split(attempts, queue, each, index < 2 ? 1 : 2)),
      );
      const replica = await harness().replica();
      const first = await claimCall(replica.attempts, queue, 4);
      expect(idsOf(first)).to.deep.equal(idsOf({ attempts: taken.slice(0, 2) }));
      expect(first.attempts[0]).to.include({ half: 'call.1' });
      expect(first.attempts[0]?.job.attemptsMade).to.equal(1);
      const second = await claimCall(attempts, queue, 4);
      expect(idsOf(second)).to.deep.equal(idsOf({ attempts: taken.slice(2) }));
      const whole = await claimCall(attempts, queue, 4);
      expect(whole.attempts, 'not with those of a half').to.have.lengthOf(1);
      const half = 'call.1.1';
      const call = { outcome: 'deferred' } as const;
      const again = { kind: 'deferred', reason: 'no', scope: 'job', until: 0, half, call } as const;
      await attempts.settle(queue, first.attempts[0]!, again);
      const alone = await take(attempts, queue);
      expect(alone).to.include({ half, jobId: first.attempts[0]?.jobId });
      expect(alone.deferrals).to.equal(undefined);
      expect(alone.job.attemptsMade).to.equal(1);
    });

    // holds: batches.claim
    it('find the jobs of a claim again whose answer was lost', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const request = { ...ANY, batch: BY_QUEUE, tokens: tokensOf(batchIdOf(tokens.draw()), 2) };
      const taken = await attempts.claimBatch(queue, request);
      const again = await attempts.claimBatch(queue, { ...request, isRepeated: true });
      expect(idsOf(again)).to.deep.equal(idsOf(taken));
    });

    // holds: batches.attempts
    it('are on record with the attempts of their jobs', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [id] = await addEach(queues, queue, {});
      const attempt = await take(attempts, queue, claimOf(ANY));
      const call = { outcome: 'completed', status: 200, batch: { id: 'b', size: 7 } } as const;
      await attempts.settle(queue, attempt, { ...COMPLETED, call });
      const found = await queues.attempts(queue, id!);
      expect(found?.attempts[0]).to.deep.include({ status: 200, batch: { id: 'b', size: 7 } });
    });

    // holds: batches.attempts
    it('are on record with attempts that are cancelled or stall, while the call is made', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      const [first = '', second = '', third = ''] = await addEach(queues, queue, {}, {}, {});
      const id = batchIdOf(tokens.draw());
      const { attempts: taken } = await claimCall(attempts, queue, 3, { id, terms: SHORTLY });
      const call = { id, size: 3 };
      await attempts.noteCall(queue, call, HOUR);
      expect(await attempts.callOf(queue, taken[2]!)).to.deep.equal(call);
      await jobControl.cancel(queue, first, { reason: 'no', keep: undefined });
      await advance(SOON);
      expect(await findStalled(harness(), queue)).to.include.members([second, third]);
      for (const [job, outcome] of [
        [first, 'cancelled'],
        [second, 'stalled'],
      ] as const) {
        const [record] = (await queues.attempts(queue, job))?.attempts ?? [];
        expect(record).to.deep.include({ outcome, batch: call });
      }
      await attempts.forgetCall(queue, id);
      expect(await attempts.callOf(queue, taken[2]!)).to.equal(undefined);
    });
  });
}

async function split(
  attempts: AttemptEnginePort,
  queue: QueueName,
  attempt: Attempt,
  number: number,
): Promise<void> {
  const call = { outcome: 'failed', status: 500 } as const;
  const half = `call.${number}`;
  await attempts.settle(queue, attempt, { kind: 'retry', reason: 'no', delay: 0, half, call });
}
