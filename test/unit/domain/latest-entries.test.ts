import { expect } from 'chai';
import { LatestEntries } from '../../../src/domain/values/latest-entries.ts';

describe('LatestEntries', () => {
  it('forgets the entry that was set before all others', () => {
    const entries = new LatestEntries<string, number>(2);
    entries.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...entries]).to.deep.equal([
      ['a', 3],
      ['c', 4],
    ]);
    entries.delete('a');
    entries.set('d', 5);
    expect([...entries.keys()]).to.deep.equal(['c', 'd']);
  });

  it('keeps one without a key', () => {
    const entries = new LatestEntries<undefined, number>(1);
    entries.set(undefined, 1).set(undefined, 2);
    expect([...entries.values()]).to.deep.equal([2]);
  });
});
