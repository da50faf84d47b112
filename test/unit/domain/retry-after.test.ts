import { expect } from 'chai';
import { retryAfter } from '../../../src/domain/calls/retry-after.ts';

const NOW = Date.UTC(2026, 10, 6, 8, 49, 37);

/** What an answer with this value of the header asks for. */
const asked = (value?: string | readonly string[]): number | undefined =>
  retryAfter({ status: 429, statusText: '', headers: { 'retry-after': value }, body: '' }, NOW);

describe('Retry-After', () => {
  // holds: defer.retry-after
  it('is a number of seconds', () => {
    expect(asked('0')).to.equal(0);
    expect(asked('120')).to.equal(120_000);
    expect(asked(' 7 ')).to.equal(7000);
    expect(asked(['3', '9'])).to.equal(3000);
  });

  for (const date of [
    'Fri, 06 Nov 2026 08:50:37 GMT',
    'Friday, 06-Nov-26 08:50:37 GMT',
    'Fri Nov  6 08:50:37 2026',
  ]) {
    // holds: defer.retry-after
    it(`is a date, in each of the forms of HTTP: ${date}`, () => {
      expect(asked(date)).to.equal(60_000);
    });
  }

  // holds: defer.retry-after
  it('asks for no delay once its date has passed', () => {
    expect(asked('Sun, 06 Nov 1994 08:49:37 GMT')).to.equal(0);
    expect(asked('Sunday, 06-Nov-94 08:49:37 GMT')).to.equal(0);
  });

  for (const broken of [
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '5 s',
    '5, 6',
    'Fri, 06 Nov 2026 08:50:37 CET',
    'Fri, 06 Nov 2026 25:50:37 GMT',
    'Fri, 32 Nov 2026 08:50:37 GMT',
    'Fri, 06 Foo 2026 08:50:37 GMT',
    'Fri, 6 Nov 2026 08:50:37 GMT',
    '2026-11-06T08:50:37Z',
  ]) {
    // holds: defer.broken-retry-after
    it(`counts as absent when it is broken: ${JSON.stringify(broken)}`, () => {
      expect(asked(broken)).to.equal(undefined);
    });
  }

  it('may be missing', () => {
    expect(asked()).to.equal(undefined);
  });
});
