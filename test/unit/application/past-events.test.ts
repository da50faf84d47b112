import { expect } from 'chai';
import { PagesInUse } from '../../../src/application/events/pages-in-use.ts';
import { SharedReads } from '../../../src/application/events/shared-reads.ts';
import type { EventPort } from '../../../src/application/ports/event-port.ts';
import { queueNamed } from '../../support/queue-named.ts';

const QUEUE = queueNamed('mail');
const FIRST_KEPT = 101;
const LAST = 200;

/** A queue that has dropped its first 100 events. */
const events: Pick<EventPort, 'read'> = {
  read: (_, after) => {
    const [, number = 0] = after.split('-').map(Number);
    const first = Math.max(number + 1, FIRST_KEPT);
    return Promise.resolve({
      events: Array.from({ length: LAST - first + 1 }, (_each, index) => ({
        id: `1-${first + index}`,
        name: 'waiting' as const,
        data: { queue: QUEUE, timestamp: 1, jobId: String(first + index) },
      })),
      last: `1-${LAST}`,
      isEnd: true,
      ...(number + 1 < FIRST_KEPT && { lostBefore: `1-${FIRST_KEPT}` }),
    });
  },
};

describe('Past events of a queue', () => {
  // holds: events.gap
  it('begin with a gap for each reader of dropped ones, also while another reader has their page', async () => {
    const reads = new SharedReads(events as EventPort, new PagesInUse());
    const first = await reads.read(QUEUE, '1-7');
    const second = await reads.read(QUEUE, '1-7');
    expect([first.lostBefore, second.lostBefore]).to.deep.equal(['1-101', '1-101']);
    expect(second.batch.events).to.deep.equal(first.batch.events);
    const behind = await reads.read(QUEUE, '1-150');
    expect(behind.lostBefore).to.equal(undefined);
    expect(behind.batch.events[0]).to.include({ id: '1-151' });
  });
});
