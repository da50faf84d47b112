import { expect } from 'chai';
import { ClockWatch } from '../../../src/infrastructure/lifecycle/clock-watch.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/** A clock of this machine that a test sets. */
class ClockOfMachine extends SystemClock {
  ahead = 0;

  override now(): number {
    return super.now() + this.ahead;
  }
}

describe('the watch of the clock', () => {
  for (const [ahead, text] of [
    [60_000, 'The clock of this machine was set forward by 60 s'],
    [-86_400_000, 'The clock of this machine was set back by 86400 s'],
  ] as const) {
    // holds: store.clock-steps
    it(`ends sleeps and logs one line: ${text}`, async () => {
      const clock = new ClockOfMachine();
      const warnings: string[] = [];
      const logger = { ...silentLogger, warn: (line: string) => void warnings.push(line) };
      const watch = new ClockWatch(clock, logger);
      await watch.start();
      const { signal } = new AbortController();
      const sleeps = [clock.sleep(600_000), clock.sleep(600_000, signal)];
      clock.ahead = ahead;
      await Promise.all(sleeps);
      expect(warnings).to.deep.equal([text]);
      await watch.stop();
    });
  }
});
