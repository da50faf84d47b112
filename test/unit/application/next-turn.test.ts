import { expect } from 'chai';
import fc from 'fast-check';
import { nextTurn, TURN_GROUPS } from '../../../src/application/running/next-turn.ts';

const GROUPS = Array.from({ length: TURN_GROUPS }, (_, group) => group);

describe('nextTurn', () => {
  const now = Date.UTC(2025, 0, 1);

  it('comes within the period, and then once in each', () => {
    const times = fc.integer({ min: 0, max: 2 ** 41 });
    const periods = fc.integer({ min: 1, max: 2 ** 31 });
    fc.assert(
      fc.property(times, periods, fc.constantFrom(...GROUPS), (time, period, group) => {
        const turn = nextTurn(time, period, group);
        expect(turn)
          .to.be.above(time)
          .and.at.most(time + period);
        expect(nextTurn(turn, period, group)).to.equal(turn + period);
      }),
    );
  });

  it('is the same for all members of a group, no matter when they were started', () => {
    for (const group of GROUPS) {
      const turns = [1, 700, 1400].map((start) => nextTurn(now + start, 30_000, group));
      expect(new Set(turns)).to.have.lengthOf(1);
    }
  });

  it('spreads the groups over the period', () => {
    const turns = GROUPS.map((group) => nextTurn(now, 30_000, group) - now);
    expect(turns.sort((a, b) => a - b)).to.deep.equal([
      5000, 10_000, 15_000, 20_000, 25_000, 30_000,
    ]);
  });
});
