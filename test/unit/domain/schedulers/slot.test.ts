import { expect } from 'chai';
import fc from 'fast-check';
import {
  afterEnd,
  afterLeftOut,
  afterNextJob,
  afterResume,
  afterStart,
  hasNextJob,
  overlaps,
  standingOf,
  type SchedulerState,
} from '../../../../src/domain/schedulers/slot.ts';

const CALENDAR = { next: () => undefined };
const STATE: SchedulerState = {
  repeat: { every: 100 },
  overlap: 'skip',
  isPaused: false,
  slot: 1000,
  count: 1,
  isOver: false,
};
const FIRST = { jobId: 'first', slot: 1000, isNext: true };
const SECOND = { jobId: 'second', slot: 1100, isNext: true };

describe('a scheduler', () => {
  it('plans the slot after that of the job that started, skipping those that have passed', () => {
    expect(afterNextJob(STATE, 1000, CALENDAR)).to.include({ slot: 1100, count: 2 });
    expect(afterNextJob(STATE, 1250, CALENDAR)).to.include({ slot: 1300, count: 2 });
  });

  it('ends with its limit, and with its last time', () => {
    const limited = { ...STATE, repeat: { every: 100, limit: 1 } };
    expect(afterNextJob(limited, 1000, CALENDAR)).to.deep.equal({ ...limited, isOver: true });
    const ending = { ...STATE, repeat: { every: 100, endDate: 1050 } };
    expect(afterNextJob(ending, 1000, CALENDAR).isOver).to.equal(true);
    expect(afterLeftOut(ending, 1000, CALENDAR).isOver).to.equal(true);
    expect(hasNextJob({ ...STATE, isOver: true })).to.equal(false);
  });

  it('does not count a slot that it leaves out', () => {
    expect(afterLeftOut(STATE, 1000, CALENDAR)).to.include({ slot: 1100, count: 1 });
  });

  it('has no next job while it is paused, and leaves out the slots of that period', () => {
    const paused = { ...STATE, isPaused: true };
    expect(hasNextJob(paused)).to.equal(false);
    expect(afterResume(paused, 900, CALENDAR)).to.deep.equal(STATE);
    expect(afterResume(paused, 1250, CALENDAR)).to.deep.equal({ ...STATE, slot: 1300 });
    const over = { ...paused, isOver: true };
    expect(afterResume(over, 1250, CALENDAR)).to.deep.equal({ ...over, isPaused: false });
  });

  it('records the job that started last, not a retried one', () => {
    const second = afterStart(afterStart(STATE, FIRST, 1000), SECOND, 1100);
    expect(second.last).to.deep.equal({ jobId: 'second', at: 1100 });
    expect(afterStart(second, { ...FIRST, isNext: false }, 9000)).to.equal(second);
    expect(afterStart(second, { ...SECOND, isNext: false }, 9000)).to.equal(second);
    expect(standingOf(second)).to.include({ slot: 1000, lastSlot: 1100, hasStarted: false });
  });

  it('records the job that last started late', () => {
    const late = afterStart(STATE, FIRST, 2001);
    expect(late.late).to.deep.equal({ slot: 1000, startedAt: 2001 });
    expect(afterStart(STATE, FIRST, 2000)).not.to.have.property('late');
    expect(afterStart(late, SECOND, 2050).late).to.deep.equal({ slot: 1000, startedAt: 2001 });
  });

  it('records when its last job ended, and no other one', () => {
    const started = afterStart(STATE, FIRST, 1000);
    expect(afterEnd(started, 'first', 1040).last).to.include({ endedAt: 1040 });
    expect(afterEnd(started, 'other', 1040)).to.equal(started);
  });

  it('skips a slot that came before the previous job had ended', () => {
    const started = afterStart(STATE, FIRST, 1000);
    expect(overlaps(STATE, FIRST, false)).to.equal(false);
    expect(overlaps(started, SECOND, true)).to.equal(true);
    expect(overlaps({ ...started, overlap: 'allow' }, SECOND, true)).to.equal(false);
    expect(overlaps(afterEnd(started, 'first', 1101), SECOND, false)).to.equal(true);
    expect(overlaps(afterEnd(started, 'first', 1100), SECOND, false)).to.equal(false);
    expect(overlaps(started, SECOND, false)).to.equal(false);
  });

  it('never skips a job that started before', () => {
    const started = afterStart(afterStart(STATE, FIRST, 1000), SECOND, 1100);
    expect(overlaps(started, { ...FIRST, isNext: false }, true)).to.equal(false);
    expect(overlaps(started, { ...SECOND, isNext: false }, true)).to.equal(false);
  });

  it('adds as many jobs as its limit, each at a later slot than the one before', () => {
    const repeats = fc.record({
      every: fc.integer({ min: 1, max: 50 }),
      limit: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(
        repeats,
        fc.array(fc.nat(200), { minLength: 20, maxLength: 40 }),
        (repeat, waits) => {
          let state: SchedulerState = { ...STATE, repeat };
          let now = state.slot;
          const slots: number[] = [];
          for (const wait of waits) {
            if (!hasNextJob(state)) break;
            slots.push(state.slot);
            now = Math.max(now, state.slot) + wait;
            state = afterNextJob(state, now, CALENDAR);
          }
          expect(slots).to.have.lengthOf(repeat.limit);
          expect(slots).to.deep.equal([...new Set(slots)].toSorted((one, other) => one - other));
        },
      ),
    );
  });
});
