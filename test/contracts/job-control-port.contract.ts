import { describeBringingTogether } from './job-control/bringing-together.ts';
import { describeCancelRaces } from './job-control/cancel-races.ts';
import { describeCancelling } from './job-control/cancelling.ts';
import { describeChanging } from './job-control/changing.ts';
import { describePromoting } from './job-control/promoting.ts';
import { describeRemoving } from './job-control/removing.ts';
import { describeRemovingActive } from './job-control/removing-active.ts';
import { describeRetrying } from './job-control/retrying.ts';
import { describeStates } from './job-control/states.ts';
import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every JobControlPort promises. */
export function describeJobControlPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`JobControlPort: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describeStates(current);
    describeRemoving(current);
    describeRemovingActive(current);
    describePromoting(current);
    describeRetrying(current);
    describeChanging(current);
    describeCancelling(current);
    describeCancelRaces(current);
    describeBringingTogether(current);
  });
}
