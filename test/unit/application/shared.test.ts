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

  it('reads again what could not be read', async () => {
    const shared = sharedBy(1);
    failure = new Error('away');
    expect(await rejection(shared.of('a'))).to.equal(failure);
    failure = undefined;
    expect(await shared.of('a')).to.equal(2);
  });
});
