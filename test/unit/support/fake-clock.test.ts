import { expect } from 'chai';
import { FakeClock } from '../../support/fake-clock.ts';

describe('FakeClock', () => {
  it('stands still until it is advanced', async () => {
    const clock = new FakeClock(1000);
    expect(clock.now()).to.equal(1000);
    await clock.advance(250);
    expect(clock.now()).to.equal(1250);
  });

  it('wakes sleepers in order, each at its own time', async () => {
    const clock = new FakeClock(0);
    const woken: [string, number][] = [];
    const sleep = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    };
    const sleeps = [sleep('c', 30), sleep('a', 10), sleep('b', 20), sleep('d', 40)];
    await clock.advance(30);
    expect(woken).to.deep.equal([
      ['a', 10],
      ['b', 20],
      ['c', 30],
    ]);
    expect(clock.sleepers).to.equal(1);
    await clock.advance(10);
    await Promise.all(sleeps);
  });

  it('lets a sleeper sleep again within the same stretch of time', async () => {
    const clock = new FakeClock(0);
    const times: number[] = [];
    const everyTen = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn += 1) {
        await clock.sleep(10);
        times.push(clock.now());
      }
    };
    const done = everyTen();
    await clock.advance(100);
    await done;
    expect(times).to.deep.equal([10, 20, 30]);
  });

  it('needs no time for a sleep of none', async () => {
    const clock = new FakeClock(0);
    await clock.sleep(0);
    await clock.sleep(-5);
    expect(clock.now()).to.equal(0);
  });

  it('ends a sleep early when its signal aborts', async () => {
    const clock = new FakeClock(0);
    const controller = new AbortController();
    const sleep = clock.sleep(1000, controller.signal);
    controller.abort();
    await sleep;
    await clock.sleep(1000, controller.signal);
    expect(clock.now()).to.equal(0);
    expect(clock.sleepers).to.equal(0);
  });
});
