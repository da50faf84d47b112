import { expect } from 'chai';
import { usedHeap } from '../support/collect-garbage.ts';
import { collected } from '../support/collected.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/lane.ts';
import { FlowSteps } from './flows/flow-steps.ts';
import type { QueueHarness } from './queue-harness.ts';
import { take } from './queue-steps.ts';

const MEGABYTE = 1_048_576;
/** Half of them are more than what a store keeps in memory: 16 MB, or 1 MB of the embedded store in tests. */
const MANY = rounds(80, 20);

/** How long (ms) all of them may take, with the collections of a heap that many tests share. */
const PATIENCE = 60_000;

/** What stores promise of the memory of each replica that have what children returned on a disk. */
export function describeReleasedChildren(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`children that returned much: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });
    after(() => harness.dispose());

    // holds: store.children
    it('leave what they returned on the disk', async () => {
      const steps = new FlowSteps(harness);
      const replica = await harness.replica();
      const parent = await steps.add(steps.flow(Array.from({ length: MANY }, () => ({}))));
      const before = usedHeap();
      const textOf = (index: number): string => String(index).padEnd(MEGABYTE - 2, 'x');
      for (let index = 0; index < MANY; index += 1) {
        await steps.complete(steps.below, textOf(index));
      }
      // The other replica takes what this one wrote as it is asked for something.
      await eventually(
        'the values are freed',
        async () => {
          await replica.flows.childAddresses(steps.above, parent.id);
          return usedHeap() - before < (MANY / 2) * MEGABYTE;
        },
        PATIENCE,
      );
      const children = await collected(replica.flows.children(steps.above, parent.id));
      const isWhole = children.map(({ returnvalue }, index) => returnvalue === textOf(index));
      expect(isWhole).to.deep.equal(Array.from({ length: MANY }, () => true));
      // The first of them does not fit in a call.
      expect((await take(harness.attempts, steps.above)).children).to.deep.equal([]);
    }).timeout(2 * PATIENCE);
  });
}
