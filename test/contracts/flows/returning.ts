import { expect } from 'chai';
import type { NewFlowJob } from '../../../src/domain/flows/flow.ts';
import { collected } from '../../support/collected.ts';
import { rounds } from '../../support/lane.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { take, uniqueQueue } from '../queue-steps.ts';
import { FlowSteps } from './flow-steps.ts';

/** More than the 16 MB that stores keep in memory of what is on their disk, or than the 1 MB of the embedded harness. */
const MANY = rounds(45, 8);
const SIZE = 400_000;

const textOf = (index: number): string => `${index} `.padEnd(SIZE, 'x');

export function describeReturnedValues(harness: () => QueueHarness): void {
  describe('what children returned', () => {
    // holds: store.children, flows.children
    it('is shown and handed over as it was last, however much it is', async () => {
      const steps = new FlowSteps(harness());
      const redacted = uniqueQueue();
      const flow = Array.from({ length: MANY }, (_, index) =>
        index === 1 ? { queue: redacted } : {},
      );
      const [parent, ...children] = (await steps.added(flow)) as [NewFlowJob, ...NewFlowJob[]];
      await steps.complete(redacted, textOf(1));
      for (let index = 0; index < MANY; index += 1) {
        if (index !== 1) await steps.complete(steps.below, textOf(index));
      }
      const { flows, jobControl, redaction, advance } = harness();
      const replica = await harness().replica();
      const returned = async (from = flows): Promise<readonly unknown[]> => {
        const shown = await collected(from.children(parent.queue, parent.id));
        return shown.map(({ returnvalue }) => returnvalue);
      };
      const values: unknown[] = flow.map((_, index) => textOf(index));
      const expectReturned = async (): Promise<void> => {
        for (const from of [flows, replica.flows]) {
          const found = await returned(from);
          const wrong = found.flatMap((value, index) => (value === values[index] ? [] : [index]));
          expect([found.length, wrong]).to.deep.equal([MANY, []]);
        }
      };
      await expectReturned();
      await redaction.redactBeyond([{ queue: redacted, keep: 0 }]);
      values[1] = null;
      await jobControl.remove(steps.below, children[2]!.id);
      await advance(1000);
      await jobControl.retry(steps.below, children[3]!.id, {});
      values[3] = null;
      await expectReturned();
      await steps.complete(steps.below, 'again');
      values[3] = 'again';
      await advance(1000);
      await expectReturned();
      const attempt = await take(replica.attempts, steps.above);
      const handed = attempt.children?.map(({ returnvalue }) => returnvalue) ?? [];
      expect(handed.map((value, index) => value === values[index])).to.deep.equal(
        Array.from({ length: 4 }, () => true),
      );
    });
  });
}
