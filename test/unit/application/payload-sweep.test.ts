import { expect } from 'chai';
import { PolicySweep } from '../../../src/application/jobs/policy-sweep.ts';
import { payloadRule } from '../../../src/application/jobs/policy-sweeps.ts';
import { Rounds } from '../../../src/application/running/rounds.ts';
import type { Policy } from '../../../src/domain/policies/policy.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { addOne, COMPLETED, process, read, uniqueQueue } from '../../contracts/queue-steps.ts';
import { memoryQueueHarness, type MemoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const MINUTE = 60_000;

describe('the sweep of payloads', () => {
  let harness: MemoryQueueHarness;
  let policies: Map<QueueName, Policy>;
  let ofOthers: Policy | undefined;
  let queue: QueueName;
  let sweep: Rounds;

  beforeEach(async () => {
    harness = memoryQueueHarness();
    policies = new Map();
    ofOthers = undefined;
    queue = uniqueQueue();
    const { redaction, queueDirectory, sharedWork, clock } = harness;
    const dependencies = {
      policies: {
        known: () => Promise.resolve(),
        of: (name: QueueName) => policies.get(name) ?? ofOthers,
        get ofOthers() {
          return ofOthers;
        },
        each: () => policies,
      },
      names: { list: () => queueDirectory.names() },
      sharedWork,
      logger: silentLogger,
    };
    const work = new PolicySweep(dependencies, payloadRule(redaction));
    sweep = new Rounds(work, clock, silentLogger);
    await sweep.start();
  });
  afterEach(() => sweep.stop());

  async function completed(to = queue): Promise<string> {
    const { id } = await addOne(harness.queues, to, { removeOnComplete: false }, 'secret');
    await process(harness.attempts, to, COMPLETED);
    return id;
  }

  const dataOf = async (id: string, of = queue): Promise<unknown> =>
    (await read(harness.queues, of, id)).data;

  /** Lets time pass, a little after the other, as steps take some turns of the event loop. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1000) {
      await harness.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  // holds: payloads.bound
  it('redacts within a minute where nothing ends any more', async () => {
    policies.set(queue, { payloads: { keep: 2 * MINUTE } });
    const id = await completed();
    await pass(2 * MINUTE - 1000);
    expect(await dataOf(id)).to.equal('secret');
    await pass(MINUTE);
    expect(await dataOf(id)).to.equal(null);
  });

  // holds: payloads.bound
  it('redacts many in a row', async () => {
    policies.set(queue, { payloads: { keep: 0 } });
    const ids: string[] = [];
    for (let count = 0; count < 450; count += 1) ids.push(await completed());
    await pass(MINUTE);
    for (const id of ids) expect(await dataOf(id)).to.equal(null);
  });

  // holds: payloads.keep
  it('goes by the policy of the queue, or else of all queues', async () => {
    const [own, other] = [uniqueQueue(), uniqueQueue()];
    const ids = [await completed(own), await completed(other), await completed()];
    policies.set(own, { payloads: { keep: 10 * MINUTE } });
    policies.set(other, {});
    ofOthers = { payloads: { keep: 0 } };
    await pass(MINUTE);
    expect(await dataOf(ids[0]!, own)).to.equal('secret');
    expect(await dataOf(ids[1]!, other)).to.equal('secret');
    expect(await dataOf(ids[2]!)).to.equal(null);
  });
});
