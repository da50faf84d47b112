import { expect } from 'chai';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import type { PoliciesInForce } from '../../../src/application/policies/policies.ts';
import { StalledSweep } from '../../../src/application/maintenance/stalled-sweep.ts';
import { addOne, claimOf, COMPLETED, read, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores } from '../../support/memory-stores.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const INTERVAL = 30_000;
const PULL = { isPulled: true, lockDuration: 1000 };

describe('StalledSweep', () => {
  const swept = (policies: Pick<PoliciesInForce, 'of'> = noPolicies) => {
    const clock = new FakeClock();
    const stores = memoryStores(clock);
    const log = new AttemptLog(silentLogger, clock);
    const sweep = new StalledSweep({
      attempts: stores.attempts,
      policies,
      clock,
      logger: silentLogger,
      observer: log,
      interval: INTERVAL,
    });
    return { clock, sweep, ...stores };
  };

  // holds: pull.stalled
  it('checks jobs that clients took, of a queue without a worker', async () => {
    const { clock, sweep, queues, attempts } = swept();
    await sweep.start();
    const queue = uniqueQueue();
    const { id } = await addOne(queues, queue);
    for (let times = 1; times <= 2; times += 1) {
      await attempts.claim(queue, claimOf(PULL));
      await clock.advance(2 * INTERVAL);
      expect(await read(queues, queue, id)).to.include({ state: 'waiting', attemptsMade: 0 });
    }
    const claim = await attempts.claim(queue, claimOf(PULL));
    expect(claim).to.have.nested.property(
      'attempt.mustFail',
      'job stalled more than allowable limit',
    );
    await sweep.stop();
  });

  // holds: policy.stalls
  it('lets them stall as often as the policy in force says', async () => {
    const policies = { of: () => ({ maxStalledCount }) };
    const { clock, sweep, queues, attempts } = swept(policies);
    let maxStalledCount = 0;
    await sweep.start();
    const queue = uniqueQueue();
    await addOne(queues, queue);
    await attempts.claim(queue, claimOf(PULL));
    maxStalledCount = 3;
    for (let times = 1; times <= 3; times += 1) {
      await clock.advance(2 * INTERVAL);
      const claim = await attempts.claim(queue, claimOf(PULL));
      expect(claim).to.have.property('attempt').and.not.to.have.property('mustFail');
    }
    maxStalledCount = 2;
    await clock.advance(2 * INTERVAL);
    const claim = await attempts.claim(queue, claimOf(PULL));
    expect(claim).to.have.nested.property('attempt.mustFail');
    await sweep.stop();
  });

  it('leaves a queue alone once no client holds any of its jobs', async () => {
    const { clock, sweep, queues, attempts } = swept();
    const queue = uniqueQueue();
    await addOne(queues, queue);
    const claim = await attempts.claim(queue, claimOf({ ...PULL, lockDuration: 10 * INTERVAL }));
    if (claim.kind !== 'attempt') throw new Error('There is no job');
    await sweep.start();
    await clock.advance(2 * INTERVAL);
    await attempts.settle(queue, claim.attempt, COMPLETED);
    await clock.advance(2 * INTERVAL);
    const { id } = await addOne(queues, queue);
    await attempts.claim(queue, claimOf({ lockDuration: 1000 }));
    await clock.advance(3 * INTERVAL);
    expect(await read(queues, queue, id)).to.include({ state: 'active' });
    await sweep.stop();
  });
});
