import { expect } from 'chai';
import sinon from 'sinon';
import { JobActions } from '../../../src/application/jobs/job-actions.ts';
import type { SignalScope } from '../../../src/application/ports/replica-signals-port.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores } from '../../support/memory-stores.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { unobserved } from '../../support/unobserved.ts';

const QUEUE = queueNamed('mail');

describe('JobActions', () => {
  const stores = memoryStores(new FakeClock());
  const { jobControl, queues, workers, signals, flows } = stores;
  const actions = new JobActions({
    control: jobControl,
    queues,
    workers,
    policies: noPolicies,
    signals,
    flows,
    observer: unobserved,
    clock: new FakeClock(),
  });
  const received: SignalScope[] = [];
  signals.listen('cancelled', (scope) => received.push(scope));

  afterEach(() => {
    received.length = 0;
    sinon.restore();
  });

  // holds: cancel.aborts
  it('wakes the replica that runs a cancelled job, even if the answer of the store is lost', async () => {
    sinon.stub(jobControl, 'cancel').rejects(storeUnavailable(new Error('gone')));
    await rejection(actions.cancel(QUEUE, '17', {}));
    expect(received).to.deep.equal([{ queue: QUEUE, jobId: '17' }]);
  });

  it('sends no signal when no job is cancelled', async () => {
    await rejection(actions.cancel(QUEUE, '17', {}));
    await rejection(actions.cancel(QUEUE, 'meta', {}));
    expect(received).to.deep.equal([]);
  });
});
