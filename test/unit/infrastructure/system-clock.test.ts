import { getEventListeners } from 'node:events';
import process from 'node:process';
import { expect } from 'chai';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('SystemClock', () => {
  const clock = new SystemClock();

  it('returns the time in epoch milliseconds', () => {
    const before = Date.now();
    expect(clock.now()).to.be.within(before, Date.now());
  });

  it('sleeps as long as asked', async () => {
    const start = performance.now();
    await clock.sleep(30);
    expect(performance.now() - start).to.be.above(28);
  });

  it('does not sleep for a time in the past, without a warning of the platform', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onWarning);
    await clock.sleep(-5);
    await clock.sleep(-Infinity);
    await clock.sleep(1);
    process.off('warning', onWarning);
    expect(warnings).to.deep.equal([]);
  });

  for (const ms of [2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, Infinity]) {
    it(`does not treat ${String(ms)} ms as no time`, async () => {
      const controller = new AbortController();
      let over = false;
      const sleep = clock.sleep(ms, controller.signal).then(() => (over = true));
      await clock.sleep(20);
      expect(over).to.equal(false);
      controller.abort();
      await sleep;
    });
  }

  it('ends early when the signal aborts, and at once if it was aborted before', async () => {
    const controller = new AbortController();
    // The test runner starts its own timer once the test is under way.
    await clock.sleep(0);
    const timersBefore = timers();
    const sleep = clock.sleep(60_000, controller.signal);
    expect(timers()).to.equal(timersBefore + 1);
    controller.abort(new Error('any reason'));
    await sleep;
    await clock.sleep(60_000, controller.signal);
    expect(timers()).to.equal(timersBefore);
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const sleep = clock.sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).to.have.lengthOf(1);
    await sleep;
    expect(getEventListeners(signal, 'abort')).to.have.lengthOf(0);
  });
});
