import { expect } from 'chai';
import { KnownTimes } from '../../../src/adapters/outbound/cron/known-times.ts';

describe('known times', () => {
  const PERIOD = 10;
  let searches: number;
  let times: KnownTimes;

  beforeEach(() => {
    searches = 0;
    times = new KnownTimes((time) => {
      searches += 1;
      return time < 10_000 ? (Math.floor(time / PERIOD) + 1) * PERIOD : undefined;
    });
  });

  /** The next five times after a given one, each found from the one before. */
  const five = (from: number): (number | undefined)[] => {
    const found: (number | undefined)[] = [];
    for (let time: number | undefined = from; found.length < 5 && time !== undefined;) {
      time = times.after(time);
      found.push(time);
    }
    return found;
  };

  it('are searched for once, even if their beginning is requested later', () => {
    expect(five(100)).to.deep.equal([110, 120, 130, 140, 150]);
    expect(searches).to.equal(5);
    for (const from of [100, 103, 110, 100]) {
      const first = (Math.floor(from / PERIOD) + 1) * PERIOD;
      expect(five(from)[0]).to.equal(first);
    }
    expect(searches).to.equal(6);
    expect(five(91)).to.deep.equal([100, 110, 120, 130, 140]);
    expect(searches).to.equal(7);
    expect(five(100)).to.deep.equal([110, 120, 130, 140, 150]);
    expect(searches).to.equal(7);
  });

  it('are those that a search would find, regardless of earlier requests', () => {
    for (const from of [500, 95, 100, 85, 9990, 501, 740, 20, 499, 500, 9985, 85, 0]) {
      const found = five(from);
      const expected = found.map((_, index) => (Math.floor(from / PERIOD) + 1 + index) * PERIOD);
      if (from < 9000) expect(found, String(from)).to.deep.equal(expected);
      else expect(found.at(-1), String(from)).to.equal(undefined);
    }
  });

  it('are bounded: the first ones are forgotten', () => {
    let time = 0;
    while (time < 5000) time = times.after(time) ?? Infinity;
    expect(searches).to.equal(500);
    expect(times.after(4990)).to.equal(5000);
    expect(searches).to.equal(500);
    expect(times.after(5)).to.equal(10);
    expect(searches).to.equal(501);
  });
});
