import type { SharedWork } from '../../../src/application/ports/shared-work-port.ts';
import { expect } from 'chai';
import { PolicySweep } from '../../../src/application/jobs/policy-sweep.ts';
import { retentionRule } from '../../../src/application/jobs/policy-sweeps.ts';
import type {
  EndedRemovalPort,
  RetainedQueue,
} from '../../../src/application/ports/ended-removal-port.ts';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import type { Policy } from '../../../src/domain/policies/policy.ts';
import type { RetentionPolicy } from '../../../src/domain/policies/retention-policy.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { addEach, COMPLETED, countsOf, process, uniqueQueue } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { memoryQueueHarness, type MemoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const MINUTE = 60_000;

describe('the sweep of ended jobs', () => {
  let harness: MemoryQueueHarness;
  let policies: Map<QueueName, Policy>;
  let ofOthers: Policy | undefined;
  let queue: QueueName;
  let sweeps: Rounds[];
  let steps: (readonly RetainedQueue[])[];
  let claims: number;
  let failing: Error | undefined;

  beforeEach(() => {
    harness = memoryQueueHarness();
    policies = new Map();
    ofOthers = undefined;
    queue = uniqueQueue();
    sweeps = [];
    steps = [];
    claims = 0;
    failing = undefined;
  });
  afterEach(() => Promise.all(sweeps.map((each) => each.stop())));

  async function sweep(byDefault?: RetentionPolicy): Promise<void> {
    const { endedRemoval, queueDirectory, sharedWork, clock } = harness;
    const dependencies = {
      policies: {
        known: () => Promise.resolve(),
        of: (queue: QueueName) => policies.get(queue) ?? ofOthers,
        get ofOthers() {
          return ofOthers;
        },
        each: () => policies,
      },
      names: { list: () => queueDirectory.names() },
      sharedWork: {
        claim: (work: SharedWork, interval: number) => {
          claims += 1;
          return sharedWork.claim(work, interval);
        },
      },
      logger: silentLogger,
    };
    const removal: EndedRemovalPort = {
      removeBeyond: async (queues) => {
        if (failing !== undefined) throw failing;
        steps.push(queues);
        return endedRemoval.removeBeyond(queues);
      },
    };
    const work = new PolicySweep(dependencies, retentionRule(removal, byDefault));
    const rounds = new Rounds(work, clock, silentLogger);
    sweeps.push(rounds);
    await rounds.start();
  }

  async function completed(count: number, to = queue): Promise<void> {
    await addEach(
      harness.queues,
      to,
      ...Array.from({ length: count }, () => ({ removeOnComplete: false })),
    );
    for (let index = 0; index < count; index += 1) await process(harness.attempts, to, COMPLETED);
  }

  const kept = async (of = queue): Promise<number> =>
    (await countsOf(harness.queues, of))['completed'] ?? 0;

  /** Lets time pass, a little after the other, as steps take some turns of the event loop. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1000) {
      await harness.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  // holds: retention.bound
  it('removes within a minute where nothing ends any more, and goes on to', async () => {
    policies.set(queue, { retention: { completed: { age: 120 } } });
    await sweep();
    await completed(3);
    await pass(MINUTE);
    await completed(2);
    expect(await kept()).to.equal(5);
    await pass(1.5 * MINUTE);
    expect(await kept()).to.equal(2);
    await pass(MINUTE);
    expect(await kept()).to.equal(0);
  });

  // holds: retention.default, retention.policies
  it('goes by the policy of the queue, of all queues, or else by the default', async () => {
    const [own, others] = [uniqueQueue(), uniqueQueue()];
    await completed(3);
    await completed(3, own);
    await completed(3, others);
    policies.set(queue, { retention: { failed: { count: 0 } } });
    policies.set(own, { retention: { completed: { count: 2 } } });
    await sweep({ completed: { count: 1 } });
    await pass(MINUTE);
    expect([await kept(), await kept(own), await kept(others)]).to.deep.equal([3, 2, 1]);
    ofOthers = { retention: { completed: { count: 0 } } };
    await pass(MINUTE);
    expect([await kept(), await kept(own), await kept(others)]).to.deep.equal([3, 2, 0]);
  });

  // holds: retention.replicas
  it('asks nothing of the store without a retention, and sweeps once for all replicas', async () => {
    policies.set(queue, { retention: { completed: {} } });
    await Promise.all([sweep(), sweep()]);
    await pass(MINUTE);
    expect(claims).to.equal(0);
    policies.set(queue, { retention: { completed: { count: 0 } } });
    await pass(MINUTE);
    expect(steps.length).to.be.within(2, 4);
  });

  // holds: retention.steps
  it('takes a hundred queues in a step, and goes by the policies of the moment', async () => {
    for (let count = 0; count < 150; count += 1) {
      policies.set(uniqueQueue(), { retention: { completed: { count: 0 } } });
    }
    await sweep();
    await eventually('the first step', () => Promise.resolve(steps.length === 1));
    policies.clear();
    await pass(MINUTE);
    expect(steps.map(({ length }) => length)).to.deep.equal([100, 0]);
  });

  for (const error of [storeUnavailable(new Error('gone')), new Error('broken')]) {
    it(`goes on after a failure: ${error.message}`, async () => {
      policies.set(queue, { retention: { completed: { count: 0 } } });
      await completed(2);
      failing = error;
      await sweep();
      await pass(MINUTE);
      expect(await kept()).to.equal(2);
      failing = undefined;
      await pass(MINUTE);
      expect(await kept()).to.equal(0);
    });
  }
});
