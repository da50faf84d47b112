import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';
import { describeAddingOnce } from './queue/adding-once.ts';
import { describeAdding } from './queue/adding.ts';
import { describeCustomIds } from './queue/custom-ids.ts';
import { describeDeduplication } from './queue/deduplication.ts';
import { describeLargeAdds } from './queue/large-adds.ts';
import { describeListing } from './queue/listing.ts';
import { describeLogs } from './queue/logs.ts';
import { describeSummary } from './queue/summary.ts';
import { describeProgress } from './queue/progress.ts';
import { describeWaitingRoom } from './queue/waiting-room.ts';

/** What every QueuePort promises. */
export function describeQueuePort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`QueuePort: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describeAdding(current, name);
    describeAddingOnce(current, name);
    describeLargeAdds(current, name);
    describeWaitingRoom(current);
    describeCustomIds(current, name);
    describeDeduplication(current);
    describeListing(current);
    describeSummary(current);
    describeProgress(current);
    describeLogs(current);
  });
}
