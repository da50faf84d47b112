import { expect } from 'chai';
import {
  askedPause,
  backpressureShape,
  type AskedPause,
  type Backpressure,
} from '../../../src/domain/calls/backpressure.ts';

const NOW = 1_000_000;

/** An answer, given by its status and headers. */
interface Given {
  readonly status: number;
  readonly after?: string;
  readonly hold?: string;
}

const asked = (
  { status, after, hold }: Given,
  backpressure?: Backpressure,
  deferrals = 0,
  chance = 0.5,
): AskedPause | undefined => {
  const headers = { 'retry-after': after, 'jobgate-hold': hold };
  const answer = { status, statusText: '', headers, body: '' };
  return askedPause(answer, backpressure, deferrals, NOW, false, chance);
};

describe('what a failed answer asks for', () => {
  describe('without options', () => {
    for (const status of [429, 503]) {
      // holds: defer.queue
      it(`defers the job and holds the queue when ${status} gives a time`, () => {
        expect(asked({ status, after: '7' })).to.deep.equal({ wait: 7000, defers: 'queue' });
        expect(asked({ status, after: '0' })).to.deep.equal({ wait: 0, defers: 'queue' });
      });

      // holds: defer.without-header, defer.broken-retry-after
      it(`is nothing when ${status} gives no time`, () => {
        expect(asked({ status })).to.equal(undefined);
        expect(asked({ status, after: 'soon' })).to.equal(undefined);
        expect(asked({ status, hold: 'job' })).to.equal(undefined);
      });
    }

    for (const status of [302, 400, 404, 425, 500, 502, 504]) {
      // holds: defer.other-status
      it(`is the pause before the next attempt when ${status} gives a time`, () => {
        expect(asked({ status, after: '7' })).to.deep.equal({ wait: 7000 });
        expect(asked({ status, after: 'soon' })).to.equal(undefined);
        expect(asked({ status })).to.equal(undefined);
      });
    }

    // holds: defer.job
    it('delays only the job when the answer says so, in upper or lower case', () => {
      const answer = { status: 429, after: '7' };
      for (const hold of ['job', ' Job ', 'JOB']) {
        expect(asked({ ...answer, hold })).to.deep.equal({ wait: 7000, defers: 'job' });
      }
      for (const hold of ['queue', 'all', '']) {
        expect(asked({ ...answer, hold })).to.deep.equal({ wait: 7000, defers: 'queue' });
      }
    });

    // holds: defer.max-hold
    it('asks for a day at most', () => {
      for (const after of ['86401', '9'.repeat(400)]) {
        for (const status of [429, 500]) {
          expect(asked({ status, after })?.wait).to.equal(86_400_000);
        }
      }
    });

    // holds: defer.max-deferrals
    it('counts the attempt after a hundred deferrals, and then is the pause before the next', () => {
      const answer = { status: 429, after: '7' };
      expect(asked(answer, undefined, 99)).to.deep.equal({ wait: 7000, defers: 'queue' });
      expect(asked(answer, undefined, 100)).to.deep.equal({ wait: 7000 });
    });
  });

  describe('with options', () => {
    // holds: defer.backoff
    it('defers even without a time: up to 1, 2, 4, ... 60 s, at random', () => {
      const longest = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
      for (const [deferrals, wait] of longest.entries()) {
        for (const [chance, part] of [
          [0, 0],
          [0.5, wait / 2],
        ] as const) {
          const expected = { wait: part, defers: 'queue' };
          expect(asked({ status: 429 }, {}, deferrals, chance)).to.deep.equal(expected);
        }
      }
      const far = asked({ status: 429 }, { maxDeferrals: 10_000 }, 9999, 0.999);
      expect(far).to.deep.equal({ wait: 59_940, defers: 'queue' });
    });

    // holds: defer.statuses
    it('defers the statuses that it names, and always 429 and 503 with a time', () => {
      const options = { statuses: [425, 502] };
      for (const status of [425, 502]) {
        expect(asked({ status }, options)).to.deep.equal({ wait: 500, defers: 'queue' });
        expect(asked({ status, after: '7' }, options)?.defers).to.equal('queue');
      }
      expect(asked({ status: 429 }, options)).to.equal(undefined);
      expect(asked({ status: 429, after: '7' }, options)?.defers).to.equal('queue');
      expect(asked({ status: 500 }, options)).to.equal(undefined);
      expect(asked({ status: 429 }, { statuses: [] })).to.equal(undefined);
    });

    // holds: defer.job
    it('delays only the job, unless the answer asks for the queue to wait', () => {
      const options = { hold: 'job' } as const;
      expect(asked({ status: 503, after: '1' }, options)?.defers).to.equal('job');
      expect(asked({ status: 503 }, options)?.defers).to.equal('job');
      expect(asked({ status: 503, hold: 'queue' }, options)?.defers).to.equal('queue');
    });

    // holds: defer.max-hold
    it('bounds what an answer may ask for, no matter what it defers', () => {
      const options = { maxHold: 300 };
      expect(asked({ status: 429, after: '7' }, options)?.wait).to.equal(300);
      expect(asked({ status: 500, after: '7' }, options)).to.deep.equal({ wait: 300 });
      expect(asked({ status: 429 }, options)?.wait).to.equal(150);
    });

    // holds: defer.max-deferrals
    it('counts the attempt beyond a number of deferrals', () => {
      const options = { maxDeferrals: 2 };
      expect(asked({ status: 429 }, options, 1)?.defers).to.equal('queue');
      expect(asked({ status: 429 }, options, 2)).to.equal(undefined);
      expect(asked({ status: 429, after: '7' }, options, 2)).to.deep.equal({ wait: 7000 });
    });
  });

  describe('the options', () => {
    for (const options of [
      {},
      { statuses: [] },
      { statuses: [429, 599, 200], hold: 'queue', maxHold: 1, maxDeferrals: 10_000 },
    ]) {
      it(`may be ${JSON.stringify(options)}`, () => {
        expect(backpressureShape.accepts(options)).to.equal(true);
      });
    }

    for (const options of [
      { statuses: [199] },
      { statuses: [600] },
      { statuses: ['429'] },
      { statuses: 429 },
      { statuses: Array<number>(101).fill(429) },
      { hold: 'worker' },
      { maxHold: 0 },
      { maxHold: 1.5 },
      { maxDeferrals: 0 },
      { maxDeferrals: 10_001 },
      { other: 1 },
      null,
    ]) {
      it(`may not be ${JSON.stringify(options).slice(0, 40)}`, () => {
        expect(backpressureShape.accepts(options)).to.equal(false);
      });
    }
  });
});
