import { expect } from 'chai';
import { afterStall } from '../../../../src/domain/attempts/stalled.ts';

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
