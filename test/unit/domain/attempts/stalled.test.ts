import { expect } from 'chai';
import {
  afterStall,
  renewalInterval,
  stalledGrace,
} from '../../../../src/domain/attempts/stalled.ts';

describe('a stall', () => {
  it('counts, and fails the job at its next attempt once there have been too many', () => {
    expect(afterStall(0, 1)).to.deep.equal({ stalledCount: 1 });
    expect(afterStall(1, 1)).to.deep.equal({
      stalledCount: 2,
      mustFail: 'job stalled more than allowable limit',
    });
    expect(afterStall(0, 0)).to.include.keys('mustFail');
  });
});

describe('the renewal of locks', () => {
  for (const [lockDuration, stalledInterval] of [
    [30_000, 30_000],
    [8000, 1000],
    [1000, 500],
  ] as const) {
    // holds: settings.pause
    it(`leaves a lock of ${lockDuration} ms to a replica that stands still for as long, with checks every ${stalledInterval} ms`, () => {
      const interval = renewalInterval(lockDuration, stalledInterval);
      const grace = stalledGrace(stalledInterval);
      expect(interval).to.be.above(0);
      // The pause may begin just before a renewal.
      expect(interval + lockDuration).to.be.at.most(lockDuration + grace);
      expect(interval).to.be.at.most(lockDuration / 2);
      expect(grace).to.be.at.most(stalledInterval);
    });
  }
});
