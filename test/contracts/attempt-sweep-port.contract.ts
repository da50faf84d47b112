import { describeStalledCheck } from './attempts/stalled-check.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every AttemptSweepPort promises. The register of pulled queues is in the suite of AttemptEnginePort, overdue attempts in that of AttemptHolderPort. */
export function describeAttemptSweepPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`AttemptSweepPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    const current = (): QueueHarness => harness;
    describeStalledCheck(current);
  });
}
