import { expect } from 'chai';
import { Shared } from '../../../src/application/running/shared.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { rejection } from '../../support/rejection.ts';

describe('Shared', () => {
  let clock: FakeClock;
  let read: string[];
  let failure: Error | undefined;

  const sharedBy = (most: number): Shared<number, string> =>
    new Shared(clock, { freshFor: 1000, most }, (_, key: string) => {
      read.push(key);
      return failure === undefined ? Promise.resolve(read.length) : Promise.reject(failure);
    });

  beforeEach(() => {
    clock = new FakeClock();
    read = [];
    failure = undefined;
  });

  it('reads a value once for all who ask for it while it is fresh', async () => {
    const shared = sharedBy(1);
    expect(await Promise.all([shared.of('a'), shared.of('a')])).to.deep.equal([1, 1]);
    await clock.advance(999);
    expect(await shared.of('a')).to.equal(1);
    await clock.advance(1);
    expect(await shared.of('a')).to.equal(2);
  });

  it('keeps the latest values, up to a number of keys', async () => {
    const shared = sharedBy(2);
    for (const key of ['a', 'b', 'c', 'b', 'a']) await shared.of(key);
    expect(read).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('keeps the latest values, up to their size together', async () => {
    const size = { most: 10, of: Number };
    const shared = new Shared(clock, { freshFor: 1000, most: 9, size }, (_, key: number) => {
      read.push(String(key));
      return Promise.resolve(key);
    });
    for (const key of [4, 6, 3, 6, 4, 11, 3]) await shared.of(key);
    expect(read).to.deep.equal(['4', '6', '3', '4', '11', '3']);
    await shared.of(11);
    expect(read.at(-1), 'a larger value is not kept').to.equal('11');
  });

  it('reads again what could not be read', async () => {
    const shared = sharedBy(1);
    failure = new Error('away');
    expect(await rejection(shared.of('a'))).to.equal(failure);
    failure = undefined;
    expect(await shared.of('a')).to.equal(2);
  });
});
