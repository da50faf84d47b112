import { describeClaiming } from './job-consumer/claiming.ts';
import { describeDelays } from './job-consumer/delays.ts';
import { describeEndings } from './job-consumer/endings.ts';
import { describeLimits } from './job-consumer/limits.ts';
import { describeLocks } from './job-consumer/locks.ts';
import { describeRetention } from './job-consumer/retention.ts';
import { describeRetries } from './job-consumer/retries.ts';
import { describeStalledCheck } from './job-consumer/stalled-check.ts';
import { describeWaiting } from './job-consumer/waiting.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every JobConsumerPort promises. */
export function describeJobConsumerPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`JobConsumerPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    const current = (): QueueHarness => harness;
    describeClaiming(current);
    describeDelays(current);
    describeEndings(current);
    describeRetries(current);
    describeRetention(current);
    describeLimits(current);
    describeLocks(current);
    describeStalledCheck(current);
    describeWaiting(current);
  });
}
