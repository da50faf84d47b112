import { expect } from 'chai';
import { backoffDelay, backoffShape, type Backoff } from '../../../src/domain/backoff.ts';
import { checkShape } from '../../../src/domain/check-shape.ts';
import { rejection } from './rejection.ts';

describe('backoff', () => {
  for (const [type, delays] of [
    ['exponential', [1000, 2000, 4000, 8000, 16_000]],
    // holds: backoff.types
    ['linear', [1000, 2000, 3000, 4000, 5000]],
    // holds: backoff.types
    ['fixed', [1000, 1000, 1000, 1000, 1000]],
    ['of another producer', [1000, 1000, 1000, 1000, 1000]],
  ] as const) {
    // holds: options.backoff
    it(`waits ${delays.join(', ')} ms when it is ${type}`, () => {
      const waits = delays.map((_, index) => backoffDelay({ type, delay: 1000 }, index + 1));
      expect(waits).to.deep.equal(delays);
    });
  }

  it('does not wait without a delay', () => {
    expect(backoffDelay(undefined, 1)).to.equal(0);
    for (const delay of [0, -5, NaN, undefined, null]) {
      expect(backoffDelay({ type: 'exponential', delay } as Backoff, 3)).to.equal(0);
    }
  });

  it('waits whole milliseconds, never more than can be kept exactly', () => {
    expect(backoffDelay({ type: 'linear', delay: 0.4 }, 4)).to.equal(2);
    for (const attempts of [60, 1000, 5000]) {
      const wait = backoffDelay({ type: 'exponential', delay: 1000 }, attempts);
      expect(wait).to.equal(Number.MAX_SAFE_INTEGER);
    }
  });

  for (const [backoff, message] of [
    [{ type: 'quadratic', delay: 1 }, 'b.type must be exponential, linear or fixed'],
    [{ delay: 1 }, 'b.type must be exponential, linear or fixed'],
    [{ type: 'fixed' }, 'b.delay must be an integer of at least 0'],
    [{ type: 'fixed', delay: -1 }, 'b.delay must be an integer of at least 0'],
    [{ type: 'fixed', delay: 1.5 }, 'b.delay must be an integer of at least 0'],
    [{ type: 'fixed', delay: '1' }, 'b.delay must be an integer of at least 0'],
  ] as const) {
    it(`may not be ${JSON.stringify(backoff)}`, () => {
      expect(rejection(() => checkShape(backoffShape, backoff, 'b'))).to.equal(message);
    });
  }

  it('may be any of its types with any delay', () => {
    for (const type of ['exponential', 'linear', 'fixed']) {
      for (const delay of [0, 1, Number.MAX_SAFE_INTEGER])
        checkShape(backoffShape, { type, delay }, 'b');
    }
  });
});
