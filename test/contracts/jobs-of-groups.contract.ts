import { describeFairTurns } from './groups/fair-turns.ts';
import { describeGroupLimits } from './groups/group-limits.ts';
import { describeOrderedGroups } from './groups/ordered-groups.ts';
import { describeUngroupedTurns } from './groups/ungrouped-turns.ts';
import { describeUsedGroups } from './groups/used-groups.ts';
import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What the ports of groups, jobs and attempts promise for jobs of groups (platform contract, section 13). */
export function describeJobsOfGroups(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`jobs of groups: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describeFairTurns(current);
    describeUngroupedTurns(current);
    describeGroupLimits(current);
    describeOrderedGroups(current);
    describeUsedGroups(current);
  });
}
