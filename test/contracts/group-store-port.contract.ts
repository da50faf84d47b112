import { describeFairTurns } from './groups/fair-turns.ts';
import { describeGroupLimits } from './groups/group-limits.ts';
import { describeOrderedGroups } from './groups/ordered-groups.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every GroupStorePort promises, and the ports of jobs and attempts for jobs of groups. */
export function describeGroupStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`GroupStorePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    const current = (): QueueHarness => harness;
    describeFairTurns(current);
    describeGroupLimits(current);
    describeOrderedGroups(current);
  });
}
