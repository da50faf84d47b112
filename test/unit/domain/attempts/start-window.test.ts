import { expect } from 'chai';
import fc from 'fast-check';
import { reportedCost } from '../../../../src/domain/queues/start-cost.ts';
import {
  indexOfStart,
  lastToLeave,
  startsUpTo,
} from '../../../../src/domain/queues/start-window.ts';

const TEN = { max: 10 };

/** Starts of these costs, a millisecond apart. */
function startsOf(...costs: readonly number[]) {
  const times = costs.map((_, index) => 1000 + index);
  return { times, costs, total: costs.reduce((sum, cost) => sum + cost, 0) };
}

describe('the starts that a limiter counts', () => {
  for (const [costs, cost, last] of [
    [[], 1, undefined],
    [[], 50, undefined],
    [[1, 1, 1], 7, undefined],
    [[1, 1, 1], 8, 1000],
    [[5, 5], 0, undefined],
    [[5, 6], 0, 1000],
    [[5, 5], 1, 1000],
    [[5, 5], 6, 1001],
    [[0, 10, 0], 1, 1001],
    [[1], 50, 1000],
    [[0], 50, undefined],
    [[3, 1000], 1, 1001],
  ] as const) {
    it(`let a job of ${cost} start behind ${JSON.stringify(costs)} once ${last ?? 'none'} has left`, () => {
      expect(lastToLeave(startsOf(...costs), TEN, cost)).to.equal(last);
    });
  }

  it('let as many start as the limiter allows where all cost 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(20), (max, count) => {
        const starts = startsOf(...Array.from({ length: count }, () => 1));
        expect(lastToLeave(starts, { max }, 1)).to.equal(starts.times.at(-max));
      }),
    );
  });

  it('are found by their times and costs', () => {
    const starts = { times: [1, 2, 2, 2, 5], costs: [1, 4, 1, 4, 1], total: 11 };
    for (const [at, cost, found] of [
      [1, 1, 0],
      [2, 1, 2],
      [2, 4, 3],
      [2, 9, -1],
      [3, 1, -1],
      [0, 1, -1],
      [5, 1, 4],
    ] as const) {
      expect(indexOfStart(starts, { at, cost })).to.equal(found);
    }
    expect([0, 2, 4, 9].map((time) => startsUpTo(starts.times, time))).to.deep.equal([0, 4, 4, 5]);
  });

  for (const [value, cost] of [
    ['1532', 1532],
    [' 7 ', 7],
    ['0', 0],
    ['1000000', 1_000_000],
    ['1000001', undefined],
    ['-1', undefined],
    ['1.0', undefined],
    ['', undefined],
    [undefined, undefined],
    [5, 5],
    [-0.5, undefined],
    [Infinity, undefined],
    [true, undefined],
  ] as const) {
    it(`cost ${cost ?? 'what they did'} when ${JSON.stringify(value)} is reported`, () => {
      expect(reportedCost(value)).to.equal(cost);
    });
  }
});
