import { expect } from 'chai';
import fc from 'fast-check';
import { limiterWindow, nextStartAt } from '../../../../src/domain/queues/limiter.ts';

const LIMITER = { max: 2, duration: 1000 };

describe('the limiter', () => {
  it('stretches its window by a twentieth, by 50 ms at most', () => {
    expect(limiterWindow({ max: 1, duration: 100 })).to.equal(105);
    expect(limiterWindow({ max: 1, duration: 1 })).to.equal(2);
    expect(limiterWindow({ max: 1, duration: 60_000 })).to.equal(60_050);
  });

  it('allows a start at once while fewer than `max` are counted', () => {
    expect(nextStartAt(LIMITER, undefined, 5000)).to.equal(undefined);
  });

  it('allows a start again when the window of the `max`-th last one is over', () => {
    expect(nextStartAt(LIMITER, 5000, 5000)).to.equal(6050);
    expect(nextStartAt(LIMITER, 5000, 6049)).to.equal(6050);
    expect(nextStartAt(LIMITER, 5000, 6050)).to.equal(undefined);
  });

  it('allows a start when the clock was set back', () => {
    expect(nextStartAt(LIMITER, 5000, 4999)).to.equal(undefined);
  });

  it('never lets more than `max` start in any window, and lets none wait without need', () => {
    const limiters = fc.record({ max: fc.integer({ min: 1, max: 5 }), duration: fc.nat(50) });
    const pauses = fc.array(fc.nat(30), { maxLength: 100 });
    fc.assert(
      fc.property(limiters, pauses, ({ max, duration }, waits) => {
        const limiter = { max, duration: duration + 1 };
        const starts: number[] = [];
        let now = 1000;
        for (const wait of waits) {
          now += wait;
          const next = nextStartAt(limiter, starts.at(-max), now);
          const counted = starts.filter((start) => start + limiterWindow(limiter) > now);
          expect(next === undefined).to.equal(counted.length < max);
          if (next === undefined) starts.push(now);
        }
        starts.forEach((start, index) => {
          const after = starts[index + max];
          if (after !== undefined) expect(after - start).to.be.at.least(limiterWindow(limiter));
        });
      }),
    );
  });
});
