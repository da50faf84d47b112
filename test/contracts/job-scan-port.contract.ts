import { describeLooking } from './job-scan/looking.ts';
import { describeScanning } from './job-scan/scanning.ts';
import { describeScanningWhileJobsMove } from './job-scan/moving-jobs.ts';
import { isVolumePlayedOn } from './played-on.ts';
import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every JobScanPort promises. */
export function describeJobScanPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`JobScanPort: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describeScanning(current);
    if (isVolumePlayedOn(name)) describeScanningWhileJobsMove(current);
    describeLooking(current);
  });
}
