import { describeLooking } from './job-scan/looking.ts';
import { describeScanning } from './job-scan/scanning.ts';
import { describeScanningWhileJobsMove } from './job-scan/moving-jobs.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every JobScanPort promises. */
export function describeJobScanPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`JobScanPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    const current = (): QueueHarness => harness;
    describeScanning(current);
    describeScanningWhileJobsMove(current);
    describeLooking(current);
  });
}
