import { expect } from 'chai';
import {
  checkSpans,
  closedFor,
  openTimeOf,
  windowState,
  zoneOf,
  type Window,
} from '../../../src/domain/queues/window.ts';
import { offsetAt } from '../../../src/adapters/outbound/cron/zone-offsets.ts';
import { rounds } from '../../support/lane.ts';
import { rejection } from '../../support/rejection.ts';

const HOUR = 3_600_000;

/** The nights on which the clocks change, each with the zone and the day on which it begins. */
const NIGHTS = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Santiago', '2026-04-05'],
  ['America/Santiago', '2026-09-06'],
] as const;

/** How many minutes lie between two that are compared; clocks change, and spans begin, at quarters of an hour. */
const STEP = rounds(5, 15);

/** Spans around the hours that are skipped or come twice. */
const SPANS = [
  ['22:00', '06:00'],
  ['00:00', '24:00'],
  ['02:00', '03:00'],
  ['02:15', '02:45'],
  ['02:30', '04:00'],
  ['00:30', '02:30'],
  ['23:30', '00:30'],
] as const;

function windowOf(from: string, to: string, tz: string): Window {
  return { open: [{ from, to }], tz };
}

function computedAt(window: Window, at: number) {
  return windowState(window, (time) => offsetAt(zoneOf(window), time), at);
}

function stateAt(window: Window, at: number) {
  const { open, changesAt } = computedAt(window, at);
  return { open, changesAt };
}

/** What the clocks of a zone show, such as `2026-03-29 02:30`. */
function shownIn(tz: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: tz,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (time) => format.format(time);
}

/**
 * A second computation: whether a minute is within the span is read off the clocks, minute by minute, of which the
 * first that shows the beginning opens, and the last that shows the end closes.
 */
function minutesOpen(from: string, to: string, clocks: readonly string[]): boolean[] {
  const isOpen = new Array<boolean>(clocks.length).fill(false);
  const days = [...new Set(clocks.map((clock) => clock.slice(0, 10)))];
  for (const [index, day] of days.entries()) {
    const next = days[index + 1];
    const end = to === '24:00' ? `${next} 00:00` : to < from ? `${next} ${to}` : `${day} ${to}`;
    const opens = firstAtOrAfter(clocks, `${day} ${from}`);
    const closes = lastBefore(clocks, end);
    if (opens === undefined || closes === undefined) continue;
    for (let minute = opens; minute < closes; minute += 1) isOpen[minute] = true;
  }
  return isOpen;
}

/** The first minute that shows the time or, if it is skipped, the first that shows a later one. */
function firstAtOrAfter(clocks: readonly string[], time: string): number | undefined {
  const found = clocks.findIndex((clock) => clock >= time);
  return found <= 0 ? undefined : found;
}

/** The minute behind the last that shows an earlier time, whose next one is at or after it. */
function lastBefore(clocks: readonly string[], time: string): number | undefined {
  const same = clocks.lastIndexOf(time);
  if (same !== -1) return same;
  const found = clocks.findIndex((clock) => clock > time);
  return found === -1 ? undefined : found;
}

describe('The window of a queue', () => {
  for (const [tz, day] of NIGHTS) {
    // holds: windows.clocks
    it(`opens and closes as the clocks of ${tz} show around ${day}`, () => {
      const first = Date.parse(`${day}T00:00:00Z`) - 48 * HOUR;
      const shown = shownIn(tz);
      const clocks = Array.from({ length: 96 * 60 }, (_, minute) => shown(first + minute * 60_000));
      for (const [from, to] of SPANS) {
        const window = windowOf(from, to, tz);
        const expected = minutesOpen(from, to, clocks);
        for (let minute = 30 * 60; minute < 66 * 60; minute += STEP) {
          const state = stateAt(window, first + minute * 60_000);
          expect(state.open, `${from}-${to} ${clocks[minute]}`).to.equal(expected[minute]);
        }
      }
    });
  }

  // holds: windows.clocks
  it('says exactly when it changes', () => {
    for (const [tz, day] of NIGHTS) {
      for (const [from, to] of SPANS.filter(([begin]) => begin !== '00:00')) {
        const window = windowOf(from, to, tz);
        const { open, changesAt } = stateAt(window, Date.parse(`${day}T00:00:00Z`) - 20 * HOUR);
        expect(stateAt(window, changesAt! - 1).open).to.equal(open);
        expect(stateAt(window, changesAt!).open).to.equal(!open);
      }
    }
  });

  it('does not change when its spans cover all days', () => {
    const halves = [
      { from: '06:00', to: '18:00' },
      { from: '18:00', to: '06:00' },
    ];
    const at = Date.parse('2026-03-28T12:00:00Z');
    const always = { open: true, changesAt: null };
    expect(stateAt({ open: halves, tz: 'Europe/Berlin' }, at)).to.deep.equal(always);
    expect(stateAt(windowOf('00:00', '24:00', 'UTC'), at)).to.deep.equal(always);
  });

  it('opens on its days only, and into the next day', () => {
    const window: Window = { open: [{ days: ['fri'], from: '22:00', to: '02:00' }], tz: 'UTC' };
    const opensAt = Date.parse('2026-11-27T22:00:00Z');
    const monday = Date.parse('2026-11-23T12:00:00Z');
    expect(stateAt(window, monday)).to.deep.equal({ open: false, changesAt: opensAt });
    expect(stateAt(window, opensAt)).to.deep.equal({ open: true, changesAt: opensAt + 4 * HOUR });
  });

  it('refuses a span without a length', async () => {
    const window = windowOf('08:00', '08:00', 'UTC');
    const error = await rejection(Promise.resolve().then(() => checkSpans(window, 'window')));
    expect(error.message).to.equal('window.open[0].to must not be equal to from');
  });

  // holds: windows.starts
  it('does not open early where the clock of a replica is ahead of that of the store', () => {
    const spans = [
      { from: '06:00', to: '07:00' },
      { from: '09:00', to: '12:00' },
      { from: '11:00', to: '17:00' },
    ];
    const window = { open: spans, tz: 'Europe/Berlin' };
    const opensAt = Date.parse('2026-11-30T08:00:00Z');
    for (const ahead of [1000, 600_000, 4 * HOUR]) {
      const openTime = openTimeOf(computedAt(window, opensAt + ahead));
      expect(openTime).to.deep.equal({ from: opensAt, to: opensAt + 8 * HOUR });
      expect(closedFor(openTime, opensAt - 1000)).to.equal(1000);
      expect(closedFor(openTime, opensAt)).to.equal(0);
    }
  });

  it('lets a claim get a job by the clock of the store', () => {
    const open = openTimeOf({ open: true, changesAt: 2000, since: 1000 });
    expect([closedFor(open, 1999), closedFor(open, 2000)]).to.deep.equal([0, 1000]);
    const closed = openTimeOf({ open: false, changesAt: 2000, since: null });
    expect([closedFor(closed, 500), closedFor(closed, 2000)]).to.deep.equal([1500, 0]);
  });
});
