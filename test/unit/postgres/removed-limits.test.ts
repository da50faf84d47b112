import { expect } from 'chai';
import { FLOW_KEPT } from '../../../src/domain/messages/flow-limit.ts';
import type { QueueHarness, QueueReplica } from '../../contracts/queue-harness.ts';
import { ANY, jobOf, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';

const STARTS = 250;
const LIMITER = { max: 2000, duration: 5000 };

describe('a limit that is removed, on two replicas', () => {
  let log: LogInMemory;
  let one: QueueHarness;
  let other: QueueReplica;

  beforeEach(async () => {
    log = new LogInMemory();
    one = replicasInMemory('test', new FakeClock(), undefined, log);
    other = await one.replica();
    const queue = uniqueQueue();
    await one.limits.put('api', () => ({ limiter: LIMITER }));
    await one.queues.add(
      queue,
      Array.from({ length: STARTS }, () => jobOf()),
    );
    const terms = { ...ANY, limits: ['api'] };
    for (let claims = 0; claims < STARTS; claims += 1) await take(one.attempts, queue, terms);
    await one.limits.remove('api');
  });

  async function sweepOften(): Promise<void> {
    for (let sweeps = 0; sweeps < 10; sweeps += 1) {
      for (const replica of [one, other]) await replica.expiry.expireDue();
    }
  }

  function recordsLeft(): number {
    log.fold();
    return log.records.filter(({ kind }) => kind === 'limit-starts' || kind === 'limit-turn')
      .length;
  }

  // holds: limits.shared
  it('leaves nothing of the starts that it counted, after an hour', async () => {
    await one.advance(FLOW_KEPT);
    await sweepOften();
    expect(recordsLeft()).to.equal(0);
  });

  // holds: limits.changed
  it('counts its earlier starts when it is put again before that', async () => {
    await sweepOften();
    await one.limits.put('api', () => ({ limiter: LIMITER }));
    const uses = await other.limitUse.uses([{ name: 'api' }]);
    expect(uses[0]?.started).to.equal(STARTS);
  });
});
