import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import type { NewJob } from '../../../src/domain/jobs/job.ts';
import {
  addOne,
  ANY,
  claimOf,
  countsOf,
  factsOf,
  jobOf,
  listPage,
  logsOf,
  type Page,
  read,
  take,
} from '../../contracts/queue-steps.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';

const QUEUE = queueNamed('mail');

/** Changes everything that can be changed in what was passed in or handed out. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) spoil(inner);
  if (Array.isArray(value)) value.push('spoilt');
  else Object.assign(value, { spoilt: true });
}

describe('queues in memory', () => {
  it('share no objects with the callers that add jobs', async () => {
    const { queues } = memoryQueueHarness();
    const input = jobOf({ backoff: { type: 'fixed', delay: 1 } }, { list: [{ a: 1 }] });
    const [added] = await queues.add(QUEUE, [input]);
    const stored = structuredClone(added);
    spoil(input);
    spoil(added);
    expect(factsOf(await queues.find(QUEUE, '1'))).to.deep.equal(factsOf(stored));
  });

  it('share no objects with the callers that read jobs', async () => {
    const { queues, attempts } = memoryQueueHarness();
    await addOne(queues, QUEUE, { attempts: 2 }, { list: [{ a: 1 }] });
    const attempt = await take(attempts, QUEUE);
    await attempts.addLog(QUEUE, { jobId: '1', token: attempt.token }, 'line');
    await attempts.settle(QUEUE, attempt, { kind: 'retry', reason: 'why', delay: 0 });
    const page = (): Promise<Page> =>
      listPage(queues, QUEUE, { statuses: ['waiting'], start: 0, length: 1 });
    const reads = [() => queues.find(QUEUE, '1'), page, () => logsOf(queues, QUEUE, '1')] as const;
    for (const again of reads) {
      const got = await again();
      const expected = structuredClone(got);
      spoil(got);
      expect(await again()).to.deep.equal(expected);
    }
  });

  it('share no objects with the callers that process jobs', async () => {
    const { queues, attempts } = memoryQueueHarness();
    await addOne(queues, QUEUE, {}, { a: 1 });
    const attempt = await take(attempts, QUEUE);
    spoil(attempt.job);
    expect((await read(queues, QUEUE, '1')).data).to.deep.equal({ a: 1 });
    const [progress, returnvalue] = [{ step: [1] }, { ok: [true] }];
    await attempts.reportProgress(QUEUE, { jobId: '1', token: attempt.token }, progress);
    await attempts.settle(QUEUE, attempt, { kind: 'completed', returnvalue });
    spoil(progress);
    spoil(returnvalue);
    expect(await read(queues, QUEUE, '1')).to.deep.include({
      progress: { step: [1] },
      returnvalue: { ok: [true] },
    });
  });

  // holds: adding.all-or-nothing
  it('add nothing of a batch that cannot be stored as a whole', async () => {
    const { queues, attempts } = memoryQueueHarness();
    const unwritable = { ...jobOf(), data: 1n } as unknown as NewJob;
    const batch = [jobOf(), jobOf({ jobId: 'same' }), unwritable];
    const failure: unknown = await queues.add(QUEUE, batch).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TypeError);
    expect(await queues.find(QUEUE, 'same')).to.equal(undefined);
    expect((await attempts.claim(QUEUE, claimOf(ANY))).kind).to.equal('idle');
    expect((await addOne(queues, QUEUE)).id).to.equal('1');
  });

  it('are not created by reading', async () => {
    const { queues, attempts, store } = memoryQueueHarness();
    await countsOf(queues, QUEUE);
    await queues.find(QUEUE, '1');
    await queues.logs(QUEUE, '1', 0, 10);
    await attempts.reportProgress(QUEUE, { jobId: '1', token: 'token' }, 1);
    await attempts.addLog(QUEUE, { jobId: '1', token: 'token' }, 'line');
    expect(store.find(QUEUE)).to.equal(undefined);
    await addOne(queues, QUEUE);
    expect(store.find(QUEUE)).not.to.equal(undefined);
  });
});
