import { describeAccepting } from './attempts/accepting.ts';
import { describeReceiving } from './attempts/receiving.ts';
import { describeReporting } from './attempts/reporting.ts';
import { describeTokens } from './attempts/tokens.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every AttemptHolderPort promises. How reports move the breaker is in the suite of AttemptEnginePort. */
export function describeAttemptHolderPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`AttemptHolderPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    const current = (): QueueHarness => harness;
    describeTokens(current);
    describeReporting(current);
    describeAccepting(current);
    describeReceiving(current);
  });
}
