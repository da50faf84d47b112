import { expect } from 'chai';
import type { EventBatch } from '../../../src/application/events/event-batch.ts';
import { PagesInUse } from '../../../src/application/events/pages-in-use.ts';
import type { EventPosition } from '../../../src/domain/events/event-position.ts';
import { positionOf, type EventOrGap } from '../../../src/domain/events/queue-event.ts';
import { queueNamed } from '../../support/queue-named.ts';

const QUEUE = queueNamed('mail');

const at = (number: number): EventPosition => ({ id: `1-${number}`, queue: QUEUE });

const eventAt = (number: number): EventOrGap => ({
  id: `1-${number}`,
  name: 'waiting',
  data: { queue: QUEUE, timestamp: 1, jobId: String(number) },
});

/** The events 1 to 120. */
const page = (): EventBatch => ({
  events: Array.from({ length: 120 }, (_, index) => eventAt(index + 1)),
  last: at(120),
});

const idsOf = ({ events }: EventBatch): readonly unknown[] =>
  [events.at(0), events.at(-1)].map((event) => event && positionOf(event).id);

describe('PagesInUse', () => {
  // holds: events.one-reader
  it('gives subscribers at other positions the same batches', () => {
    const pages = new PagesInUse();
    const first = pages.first(QUEUE, at(0), page());
    expect(idsOf(first)).to.deep.equal(['1-1', '1-50']);
    const second = pages.next(QUEUE, at(50));
    expect(second && idsOf(second)).to.deep.equal(['1-51', '1-100']);
    const rest = pages.next(QUEUE, at(70));
    expect(rest && idsOf(rest)).to.deep.equal(['1-71', '1-100']);
    expect(rest?.events[0]).to.equal(second?.events[20]);
    expect(rest && pages.next(QUEUE, rest.last)).to.equal(pages.next(QUEUE, at(100)));
    expect(idsOf(first)).to.deep.equal(['1-1', '1-50']);
  });

  it('has nothing for another source, before a page or behind its end', () => {
    const pages = new PagesInUse();
    const first = pages.first(QUEUE, at(0), page());
    expect(pages.next('', at(50))).to.equal(undefined);
    expect(pages.next(QUEUE, { id: '0-9', queue: QUEUE })).to.equal(undefined);
    expect(pages.next(QUEUE, at(120))).to.equal(undefined);
    expect(idsOf(first)).to.deep.equal(['1-1', '1-50']);
  });
});
