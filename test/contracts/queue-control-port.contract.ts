import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';
import { describeDraining } from './queue-control/draining.ts';
import { describeHolding } from './queue-control/holding.ts';
import { describeRemovingQueues } from './queue-control/removing.ts';
import { describePausing } from './queue-control/pausing.ts';
import { describeStops } from './queue-control/stops.ts';

/** What every QueueControlPort promises. */
export function describeQueueControlPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`QueueControlPort: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describePausing(current);
    describeHolding(current);
    describeStops(current);
    describeDraining(current, name);
    describeRemovingQueues(current, name);
  });
}
