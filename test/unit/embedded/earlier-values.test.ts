import { expect } from 'chai';
import { FlowSteps } from '../../contracts/flows/flow-steps.ts';
import { read, take } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { earlierQueueHarness } from '../../support/reopened-queue-harness.ts';

const LARGE = 'x'.repeat(10_000);

describe('a folder of an earlier version', () => {
  // holds: store.records
  it('has large results and what failed attempts left, although they are in other records there', async () => {
    const harness = earlierQueueHarness();
    const steps = new FlowSteps(harness);
    const [parent, child] = await steps.added([{}, {}]);
    await steps.complete(steps.below, LARGE);
    const failed = await take(harness.attempts, steps.below);
    const ending = { kind: 'retry', reason: LARGE, delay: 60_000 } as const;
    await harness.attempts.settle(steps.below, failed, ending);
    const expectAll = async (): Promise<void> => {
      const shown = await collected(harness.flows.children(parent!.queue, parent!.id));
      expect(shown.map(({ returnvalue }) => returnvalue)).to.deep.equal([LARGE, null]);
      expect(await read(harness.queues, steps.below, child!.id)).to.include({ returnvalue: LARGE });
      const job = await read(harness.queues, steps.below, failed.job.id);
      expect(job)
        .to.include({ failedReason: LARGE })
        .and.deep.include({ stacktrace: [LARGE] });
    };
    await harness.advance(1);
    await expectAll();
    // Their records are written again, without these values.
    await harness.jobControl.retry(steps.below, child!.id, {});
    await steps.complete(steps.below, LARGE);
    await harness.jobControl.promote(steps.below, failed.job.id);
    await harness.advance(1);
    await expectAll();
  });
});
