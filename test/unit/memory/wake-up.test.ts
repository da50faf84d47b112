import { expect } from 'chai';
import { WakeUp } from '../../../src/adapters/outbound/memory/state/wake-up.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';

describe('WakeUp', () => {
  it('keeps a change for the next wait while no one waits, also past one that was over', async () => {
    const clock = new SystemClock();
    const wakeUp = new WakeUp(clock);
    wakeUp.notify();
    const forever = clock.now() + 3_600_000;
    await wakeUp.wait(forever, undefined, AbortSignal.abort());
    await wakeUp.wait(forever, undefined, new AbortController().signal);
    const over = new AbortController();
    const next = wakeUp.wait(forever, undefined, over.signal).then(() => over.signal.aborted);
    over.abort();
    expect(await next).to.equal(true);
  });
});
