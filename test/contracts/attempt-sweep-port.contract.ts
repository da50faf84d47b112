import { describeStalledCheck } from './attempts/stalled-check.ts';
import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every AttemptSweepPort promises. The register of pulled queues is in the suite of AttemptEnginePort, overdue attempts in that of AttemptHolderPort. */
export function describeAttemptSweepPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`AttemptSweepPort: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describeStalledCheck(current);
  });
}
