import { expect } from 'chai';
import { distance } from '../../../clients/command-line/output/times.ts';

const NOW = Date.UTC(2026, 0, 31);
const MINUTE = 60_000;

describe('Times of the command line', () => {
  it('say how far ahead a time is that was ten minutes ahead a moment ago', () => {
    expect(distance(NOW + 10 * MINUTE - 1, NOW)).to.equal('in 10 min');
    expect(distance(NOW + 10 * MINUTE - 1500, NOW)).to.equal('in 10 min');
    expect(distance(NOW - 10 * MINUTE + 1, NOW)).to.equal('9 min ago');
    expect(distance(NOW + 103 * MINUTE, NOW)).to.equal('in 1 h 43 min');
    expect(distance(NOW - 1430, NOW)).to.equal('1 s ago');
    expect(distance(NOW + 999, NOW)).to.equal('now');
  });
});
