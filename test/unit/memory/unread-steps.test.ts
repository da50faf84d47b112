import { expect } from 'chai';
import sinon from 'sinon';
import { memoryAttempts } from '../../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { memoryQueues } from '../../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { memorySteps } from '../../../src/adapters/outbound/memory/ports/memory-steps.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { addEach, ANY, claimOf, COMPLETED, statusOf, take } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { queueNamed } from '../../support/queue-named.ts';

const QUEUE = queueNamed('reports');
const STEP = { name: 'draft', value: '"text"' };

describe('an attempt that ends while the steps of the next job cannot be read', () => {
  afterEach(() => {
    sinon.restore();
  });

  // holds: attempts.claimed-again
  it('has ended, and the claim that is repeated gets the job with its steps', async () => {
    const store = memoryStore(new FakeClock());
    const [attempts, queues] = [memoryAttempts(store), memoryQueues(store)];
    const [first = '', second = ''] = await addEach(queues, QUEUE, {}, {}, {});
    const ending = await take(attempts, QUEUE);
    const saving = await take(attempts, QUEUE);
    await memorySteps(store).save(QUEUE, saving, STEP);
    await attempts.release(QUEUE, saving);
    const reading = sinon.stub(store.open(QUEUE).jobs.steps, 'read');
    reading.rejects(storeUnavailable('The disk does not answer'));
    const next = claimOf({ ...ANY, wantsSteps: true });
    const settled = await attempts.settle(QUEUE, ending, COMPLETED, next);
    expect(settled).to.deep.equal({ held: true, next: undefined });
    expect(await statusOf(queues, QUEUE, first)).to.deep.equal(['completed']);
    reading.restore();
    const claim = await attempts.claim(QUEUE, { ...next, isRepeated: true });
    expect(claim).to.have.nested.property('attempt.jobId', second);
    expect(claim).to.have.nested.property('attempt.steps').that.deep.equals([STEP]);
  });
});
