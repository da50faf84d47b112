import { expect } from 'chai';
import { removals } from '../../../../src/domain/attempts/retention.ts';

const NONE = { of: 'ended' };

describe('the retention of ended jobs', () => {
  it('removes nothing without a rule', () => {
    expect(removals('completed', {}, undefined, 5000)).to.deep.equal(NONE);
    expect(removals('failed', {}, {}, 5000)).to.deep.equal(NONE);
  });

  it('keeps a number of jobs, and those that ended within a number of seconds', () => {
    expect(removals('completed', {}, { count: 3 }, 5000)).to.deep.equal({ of: 'ended', downTo: 3 });
    const both = { of: 'ended', endedBy: 3000, downTo: 3 };
    expect(removals('completed', {}, { count: 3, age: 2 }, 5000)).to.deep.equal(both);
  });

  it('removes the job itself, and no other, when no job is kept', () => {
    const rule = { count: 0, age: 2 };
    expect(removals('completed', {}, rule, 5000)).to.deep.equal({ of: 'itself' });
  });

  it('follows the job before its worker, by how the job ended', () => {
    const worker = { count: 9 };
    const own = { removeOnComplete: true, removeOnFail: 2 } as const;
    expect(removals('completed', own, worker, 5000)).to.deep.equal({ of: 'itself' });
    expect(removals('failed', own, worker, 5000)).to.deep.equal({ of: 'ended', downTo: 2 });
    expect(removals('failed', { removeOnFail: false }, worker, 5000)).to.deep.equal(NONE);
    expect(removals('failed', { removeOnFail: { age: 1 } }, worker, 5000)).to.deep.equal({
      of: 'ended',
      endedBy: 4000,
    });
  });
});
