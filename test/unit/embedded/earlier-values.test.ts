import { expect } from 'chai';
import { FlowSteps } from '../../contracts/flows/flow-steps.ts';
import { logsOf, read, take } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { earlierQueueHarness } from '../../support/reopened-queue-harness.ts';

const LARGE = 'x'.repeat(10_000);

describe('a folder of an earlier version', () => {
  // holds: store.records
  it('has large results, logs and what failed attempts left, although they are in other records there', async () => {
    const harness = earlierQueueHarness();
    const steps = new FlowSteps(harness);
    const [parent, child] = await steps.added([{}, {}]);
    await steps.complete(steps.below, LARGE);
    const failed = await take(harness.attempts, steps.below);
    const { token } = failed;
    await harness.attempts.addLog(steps.below, { jobId: failed.job.id, token }, LARGE);
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
    const lines = [LARGE];
    const log = (): Promise<unknown> => logsOf(harness.queues, steps.below, failed.job.id, 0, 10);
    await harness.advance(1);
    await expectAll();
    expect(await log()).to.deep.equal({ count: 1, logs: lines });
    // Their records are written again, without these values.
    await harness.jobControl.retry(steps.below, child!.id, {});
    await steps.complete(steps.below, LARGE);
    await harness.jobControl.promote(steps.below, failed.job.id);
    const again = await take(harness.attempts, steps.below);
    const key = { jobId: failed.job.id, token: again.token };
    await harness.attempts.addLog(steps.below, key, 'once more');
    await harness.advance(1);
    await expectAll();
    expect(await log()).to.deep.equal({ count: 2, logs: [...lines, 'once more'] });
  });
});
