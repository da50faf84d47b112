import { expect } from 'chai';
import { FoundGaps } from '../../../src/application/events/found-gaps.ts';
import type { EventsOfAll, LostEvents } from '../../../src/application/ports/event-port.ts';
import type { EventPosition } from '../../../src/domain/events/event-position.ts';
import {
  positionOf,
  type EventOrGap,
  type QueueEvent,
} from '../../../src/domain/events/queue-event.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';

const [mail, news] = [queueNamed('mail'), queueNamed('news')];

function at(time: number, queue = ''): EventPosition {
  return { id: `${time}-0`, queue };
}

function event(time: number): QueueEvent {
  return { id: `${time}-0`, name: 'added', data: { queue: news, timestamp: time } };
}

function reading(last: number, rest: Partial<EventsOfAll> = {}): EventsOfAll {
  return { events: [], last: at(last), isEnd: false, lost: [], ...rest };
}

/** The events as short texts, gaps with their start and end. */
function brief(events: readonly EventOrGap[]): unknown[] {
  return events.map((each) => {
    const { queue } = each.data;
    if (each.name !== 'gap') return [each.name, queue, each.id];
    return [each.name, queue, each.data.from, each.data.to];
  });
}

describe('Gaps found while reading all queues', () => {
  let gaps: FoundGaps;

  beforeEach(() => {
    gaps = new FoundGaps(new FakeClock());
  });

  // holds: all-events.gap
  it('are reported once, in order, from where they were found', () => {
    const to = at(50, mail);
    const lost = (from: number): LostEvents[] => [{ queue: mail, from: at(from), to }];
    const first = gaps.among(reading(20, { events: [event(15)], lost: lost(10) }));
    expect(brief(first)).to.deep.equal([['added', news, '15-0']]);
    const events = [event(45), event(55)];
    const second = gaps.among(reading(60, { events, lost: lost(20), isEnd: true }));
    expect(brief(second)).to.deep.equal([
      ['added', news, '45-0'],
      ['gap', mail, at(10), to],
      ['added', news, '55-0'],
    ]);
    const later = { queue: mail, from: at(60), to: at(80, mail) };
    const third = gaps.among(reading(90, { lost: [later] }));
    expect(brief(third)).to.deep.equal([['gap', mail, at(60), at(80, mail)]]);
  });

  // holds: all-events.clock
  it('are reported for every queue each time the clock of the store is set back', () => {
    const clockBehind = { queues: [mail, news], now: at(40) };
    const behind = reading(100, { clockBehind, isEnd: true });
    const all = [mail, news].map((queue) => ['gap', queue, at(40), at(100)]);
    const first = gaps.among(behind);
    expect(brief(first)).to.deep.equal(all);
    const [one, other] = first.map(positionOf) as [EventPosition, EventPosition];
    expect([at(100).queue < one.queue, one.queue < other.queue]).to.deep.equal([true, true]);
    expect([one.queue < 'a', one.id]).to.deep.equal([true, '100-0']);
    expect(gaps.among(behind)).to.deep.equal([]);
    expect(gaps.among(reading(110))).to.deep.equal([]);
    expect(brief(gaps.among(behind))).to.deep.equal(all);
  });
});
