import { expect } from 'chai';
import fc from 'fast-check';
import {
  AHEAD_OF_ALL,
  delayedPlace,
  placeBehind,
  placeOf,
  placeOfParent,
  placeOfReturned,
  predecessor,
  whenDue,
  type Returned,
} from '../../../../src/domain/attempts/order.ts';

const LAST = { status: 'waiting', rank: 0, end: 'tail' };

describe('the order of jobs', () => {
  it('puts a job behind those that already wait', () => {
    expect(placeOf({ priority: 0, lifo: false })).to.deep.equal(LAST);
    expect(placeBehind(0)).to.deep.equal(LAST);
  });

  it('puts a job ahead of those that wait if it is last in, first out', () => {
    expect(placeOf({ priority: 0, lifo: true })).to.deep.equal(AHEAD_OF_ALL);
  });

  it('puts a job with a priority behind those that have it, last in, first out or not', () => {
    const place = { status: 'prioritized', rank: 3, end: 'tail' };
    expect(placeOf({ priority: 3, lifo: false })).to.deep.equal(place);
    expect(placeOf({ priority: 3, lifo: true })).to.deep.equal(place);
    expect(placeBehind(3)).to.deep.equal(place);
  });

  it('puts a delayed job behind those that are due at the same time', () => {
    const place = { status: 'delayed', rank: 1500, end: 'tail' };
    expect(delayedPlace(500, 1000)).to.deep.equal(place);
  });

  it('starts a due job ahead of all others unless it has a priority', () => {
    expect(whenDue({ priority: 0 }, 1001, 1000)).to.equal('waits');
    expect(whenDue({ priority: 0 }, 1000, 1000)).to.equal('starts');
    expect(whenDue({ priority: 1 }, 1001, 1000)).to.equal('waits');
    expect(whenDue({ priority: 1 }, 1000, 1000)).to.equal('queues');
  });

  it('starts a released parent ahead of all others unless its options say otherwise', () => {
    expect(placeOfParent({ delay: 0, priority: 0 }, 1000)).to.deep.equal(AHEAD_OF_ALL);
    expect(placeOfParent({ delay: 0, priority: 2 }, 1000)).to.deep.equal(placeBehind(2));
    expect(placeOfParent({ delay: 9, priority: 2 }, 1000)).to.deep.equal(delayedPlace(9, 1000));
  });

  it('puts a job that goes back ahead of those of its priority', () => {
    expect(placeOfReturned(0)).to.deep.equal(AHEAD_OF_ALL);
    expect(placeOfReturned(4)).to.deep.equal({ status: 'prioritized', rank: 4, end: 'head' });
  });

  it('keeps jobs that go back in the order of their starts, in whatever order they go back', () => {
    const jobs = fc
      .uniqueArray(fc.nat(30), { maxLength: 20 })
      .chain((starts) =>
        fc.tuple(
          ...starts.map((started) =>
            fc.record({ started: fc.constant(started), priority: fc.nat(2) }),
          ),
        ),
      );
    fc.assert(
      fc.property(jobs, (returning) => {
        const lists = new Map<number, Returned[]>();
        const returned: Returned[] = [];
        for (const job of returning) {
          const list = lists.get(job.priority) ?? [];
          const before = predecessor(returned, job);
          list.splice(before === undefined ? 0 : list.indexOf(before) + 1, 0, job);
          lists.set(job.priority, list);
          returned.push(job);
        }
        for (const list of lists.values()) {
          const starts = list.map(({ started }) => started);
          expect(starts).to.deep.equal(starts.toSorted((one, other) => one - other));
        }
      }),
    );
  });
});
