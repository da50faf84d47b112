import { describeBatches } from './attempts/batches.ts';
import { describeBreaker } from './attempts/breaker.ts';
import { describeClaiming } from './attempts/claiming.ts';
import { describeCosts } from './attempts/costs.ts';
import { describeDeferring } from './attempts/deferring.ts';
import { describeDestinations } from './attempts/destinations.ts';
import { describeDelays } from './attempts/delays.ts';
import { describeEndings } from './attempts/endings.ts';
import { describeInterleavings } from './attempts/interleavings.ts';
import { describeLimits } from './attempts/limits.ts';
import { describeLocks } from './attempts/locks.ts';
import { describeAttemptsOnRecord } from './attempts/on-record.ts';
import { describeHistories } from './attempts/histories.ts';
import { describePulling } from './attempts/pulling.ts';
import { describeRetention } from './attempts/retention.ts';
import { describeRetries } from './attempts/retries.ts';
import { describeWaiting } from './attempts/waiting.ts';
import { describeWindows } from './attempts/windows.ts';
import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every AttemptEnginePort promises. */
export function describeAttemptEnginePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`AttemptEnginePort: ${name}`, () => {
    const current = harnessOfSuite(createHarness);
    describeClaiming(current, name);
    describeDelays(current);
    describeEndings(current);
    describeRetries(current);
    describeRetention(current, name);
    describeLimits(current, name);
    describeCosts(current, name);
    describeWindows(current);
    describeLocks(current);
    describeWaiting(current);
    describeAttemptsOnRecord(current);
    describeHistories(current);
    describeDeferring(current);
    describePulling(current);
    describeBreaker(current, name);
    describeBatches(current);
    describeDestinations(current);
    describeInterleavings(current, name);
  });
}
