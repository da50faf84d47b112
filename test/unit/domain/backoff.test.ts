import { expect } from 'chai';
import { backoffDelay, backoffInputShape, type Backoff } from '../../../src/domain/jobs/backoff.ts';
import { checkShape } from '../../../src/domain/values/check-shape.ts';
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

  it('waits whole milliseconds', () => {
    expect(backoffDelay({ type: 'linear', delay: 0.4 }, 4)).to.equal(2);
    expect(backoffDelay({ type: 'fixed', delay: 999, jitter: 0.5 }, 1, 0.3)).to.equal(649);
  });

  // holds: job-options.backoff-max-delay
  it('waits no longer than a day, or than its longest delay', () => {
    for (const attempts of [18, 60, 1000, 5000]) {
      const backoff = { type: 'exponential', delay: 1000 };
      expect(backoffDelay(backoff, attempts)).to.equal(86_400_000);
      expect(backoffDelay({ ...backoff, maxDelay: 5000 }, attempts)).to.equal(5000);
    }
    const days = { type: 'linear', delay: 50_000_000, maxDelay: 200_000_000 };
    expect(backoffDelay(days, 3)).to.equal(150_000_000);
    expect(backoffDelay({ type: 'fixed', delay: 9000, maxDelay: 10 }, 1)).to.equal(10);
  });

  for (const [type, jitter, shortest, longest] of [
    ['fixed', 0, 2000, 2000],
    ['fixed', 0.25, 1500, 2000],
    ['linear', 0.5, 3000, 6000],
    ['exponential', 1, 0, 8000],
  ] as const) {
    // holds: job-options.backoff-jitter
    it(`waits ${shortest} to ${longest} ms with a jitter of ${jitter} when it is ${type}`, () => {
      const backoff = { type, delay: 2000, jitter };
      expect(backoffDelay(backoff, 3, 0)).to.equal(shortest);
      expect(backoffDelay(backoff, 3, 1)).to.equal(longest);
      for (let time = 0; time < 50; time += 1) {
        expect(backoffDelay(backoff, 3)).to.be.within(shortest, longest);
      }
    });
  }

  // holds: job-options.backoff-max-delay
  it('takes the jitter off the longest delay', () => {
    const backoff = { type: 'exponential', delay: 1000, jitter: 0.5, maxDelay: 3000 };
    expect([0, 0.5].map((chance) => backoffDelay(backoff, 9, chance))).to.deep.equal([1500, 2250]);
  });

  it('ignores what other producers set in another form', () => {
    for (const odd of [{ jitter: 'x' }, { jitter: -1 }, { maxDelay: 'x' }, { maxDelay: -1 }]) {
      expect(backoffDelay({ type: 'fixed', delay: 1000, ...odd } as Backoff, 1)).to.equal(1000);
    }
    expect(backoffDelay({ type: 'fixed', delay: 1000, jitter: 7 }, 1, 0)).to.equal(0);
  });

  for (const [backoff, message] of [
    [{ type: 'quadratic', delay: 1 }, 'b.type must be exponential, linear or fixed'],
    [{ delay: 1 }, 'b.type must be exponential, linear or fixed'],
    [{ type: 'fixed', delay: -1 }, 'b.delay must be an integer of at least 0'],
    [{ type: 'fixed', delay: 1.5 }, 'b.delay must be an integer of at least 0'],
    [{ type: 'fixed', delay: '1' }, 'b.delay must be an integer of at least 0'],
    [{ type: 'fixed', delay: 1, jitter: -0.1 }, 'b.jitter must be a number from 0 to 1'],
    [{ type: 'fixed', delay: 1, jitter: 1.1 }, 'b.jitter must be a number from 0 to 1'],
    [{ type: 'fixed', delay: 1, jitter: true }, 'b.jitter must be a number from 0 to 1'],
    [{ type: 'fixed', delay: 1, maxDelay: 0.5 }, 'b.maxDelay must be an integer of at least 0'],
  ] as const) {
    it(`may not be ${JSON.stringify(backoff)}`, () => {
      expect(rejection(() => checkShape(backoffInputShape, backoff, 'b'))).to.equal(message);
    });
  }

  it('may be any of its types with any delay', () => {
    for (const type of ['exponential', 'linear', 'fixed']) {
      for (const delay of [0, 1, Number.MAX_SAFE_INTEGER])
        checkShape(backoffInputShape, { type, delay }, 'b');
    }
  });
});
