import { expect } from 'chai';
import { CronDate, CronExpressionParser } from 'cron-parser';
import sinon from 'sinon';
import { CronCalendar } from '../../../src/adapters/outbound/cron/cron-calendar.ts';

describe('the calendar of cron patterns', () => {
  const calendar = new CronCalendar();

  afterEach(() => sinon.restore());

  const times = (pattern: string, zone: string, from: string, count: number): string[] => {
    const found: string[] = [];
    for (let time: number | undefined = Date.parse(from); found.length < count;) {
      time = calendar.next(pattern, zone, time);
      if (time === undefined) break;
      found.push(new Date(time).toISOString().replace('.000Z', 'Z'));
    }
    return found;
  };

  // holds: schedulers.pattern
  it('accepts five fields, or six that begin with the seconds', () => {
    expect(times('30 2 * * *', 'UTC', '2026-01-01T00:00:00Z', 2)).to.deep.equal([
      '2026-01-01T02:30:00Z',
      '2026-01-02T02:30:00Z',
    ]);
    expect(times('*/20 59 23 31 12 *', 'UTC', '2026-01-01T00:00:00Z', 4)).to.deep.equal([
      '2026-12-31T23:59:00Z',
      '2026-12-31T23:59:20Z',
      '2026-12-31T23:59:40Z',
      '2027-12-31T23:59:00Z',
    ]);
    expect(times('0 9 * * MON', 'Asia/Tokyo', '2026-01-01T00:00:00Z', 1)).to.deep.equal([
      '2026-01-05T00:00:00Z',
    ]);
  });

  // holds: schedulers.pattern
  it('finds the same times as the library', () => {
    const froms = ['2026-02-27T22:15:30.5Z', '2026-03-28T23:30:00Z', '2026-10-03T15:29:59Z'];
    for (const pattern of [
      ...['* * * * *', '*/20 30 1-3 * * *', '30 2 * * *', '59 23 31 12 *', '0 0 29 2 *'],
      ...['0 0 L * *', '0 4 L,15 * 5L', '30 2 * * 5L', '0 9 * * 1#1', '15 2 1 * MON', '0 0 ? * 7'],
      ...['0 0 */7 * 1-5', '30 0 1,31 3,10 *', '0 0 * 2,5 2#5', '15 2 * 10 0', '30 2 * 3,10 0L'],
    ]) {
      for (const tz of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Scoresbysund']) {
        for (const from of froms.map((time) => Date.parse(time))) {
          const options = { currentDate: new Date(from), tz };
          const library = CronExpressionParser.parse(pattern, options).next().getTime();
          const what = `${pattern} in ${tz} after ${new Date(from).toISOString()}`;
          expect(new CronCalendar().next(pattern, tz, from), what).to.equal(library);
        }
      }
    }
  });

  // holds: schedulers.no-time
  it('looks ten years ahead in few steps', () => {
    const steps = sinon.spy(CronDate.prototype, 'applyDateOperation');
    const from = Date.parse('2026-11-23T12:00:00Z');
    for (const [pattern, zone] of [
      ['0 0 31 2,4,6,9,11 *', 'Europe/Berlin'],
      ['0 0 * 2 1#5', 'UTC'],
      ['* * * * * *', 'Mars/Olympus'],
      // The day on which half an hour is skipped there.
      ['15 2 * 10 0#1', 'Australia/Lord_Howe'],
    ] as const) {
      steps.resetHistory();
      expect(new CronCalendar().next(pattern, zone, from), pattern).to.equal(undefined);
      // A step takes 20 to 40 µs.
      expect(steps.callCount, pattern).to.be.below(150);
    }
    expect(calendar.next('0 0 29 2 *', 'UTC', Date.parse('2096-03-01T00:00:00Z'))).to.equal(
      Date.parse('2104-02-29T00:00:00Z'),
    );
    expect(calendar.next('* * * * *', 'UTC', 8.64e15)).to.equal(undefined);
  });

  it('knows a zone by any case of its name', () => {
    const from = Date.parse('2026-11-23T12:00:00Z');
    expect(calendar.next('0 3 * * *', 'eUrOpE/bErLiN', from)).to.equal(
      calendar.next('0 3 * * *', 'Europe/Berlin', from),
    );
    expect(calendar.isZone('eUrOpE/bErLiN')).to.equal(true);
  });

  for (const [kind, pattern, zone, from, expected] of [
    [
      'a time that does not exist comes an hour later by the clock',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T00:00:00Z',
      ['2026-03-28T01:30:00Z', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'],
    ],
    [
      'a time that does not exist comes an hour later by the clock',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T00:00:00Z',
      ['2026-03-07T07:30:00Z', '2026-03-08T07:30:00Z', '2026-03-09T06:30:00Z'],
    ],
    [
      'a time that does not exist is left out where clocks change by half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T14:00:00Z',
      ['2026-10-02T15:45:00Z', '2026-10-04T15:15:00Z'],
    ],
    [
      'a time that exists twice comes once, the first time',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T00:00:00Z',
      ['2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    [
      'a time that exists twice comes once, the first time',
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T00:00:00Z',
      ['2026-10-31T05:30:00Z', '2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z'],
    ],
    [
      'a time that exists twice comes once, the first time',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-03T14:00:00Z',
      ['2026-04-03T14:45:00Z', '2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z'],
    ],
    [
      'what comes every hour comes every hour',
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T22:30:00Z',
      ['2026-10-24T23:00:00Z', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'],
    ],
  ] as const) {
    // holds: schedulers.summer-time
    it(`knows summer time in ${zone}: ${kind}`, () => {
      expect(times(pattern, zone, from, expected.length)).to.deep.equal(expected);
    });
  }
});
