import { describeAccepting } from './attempts/accepting.ts';
import { describeReceiving } from './attempts/receiving.ts';
import { describeReporting } from './attempts/reporting.ts';
import { describeTokens } from './attempts/tokens.ts';
import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every AttemptHolderPort promises. How reports move the breaker is in the suite of AttemptEnginePort. */
export function describeAttemptHolderPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`AttemptHolderPort: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describeTokens(current);
    describeReporting(current);
    describeAccepting(current);
    describeReceiving(current);
  });
}
