import { expect } from 'chai';
import { missedAfter, missedSlot, wasMissed } from '../../../../src/domain/hooks/missed-slots.ts';
import type { StoredScheduler } from '../../../../src/domain/schedulers/scheduler.ts';
import { queueNamed } from '../../../support/queue-named.ts';

const NOW = Date.UTC(2026, 0, 1);
const MISSED = 60_000;
const LOOKS = { now: NOW, before: NOW - 10_000 };

/** The look before was an hour ago: no replica ran. */
const LATE_LOOKS = { now: NOW, before: NOW - 3_600_000 };

function scheduler(fields: Partial<StoredScheduler>): StoredScheduler {
  const job = { name: 'report', data: null, opts: {} } as unknown as StoredScheduler['job'];
  return {
    id: 'nightly',
    repeat: { every: 60_000 },
    job,
    overlap: 'allow',
    paused: false,
    ...fields,
  };
}

function planned(slot: number): Partial<StoredScheduler> {
  return { planned: { slot, count: 2 } };
}

function lastAt(at: number, state: 'active' | 'completed' | null = 'completed') {
  return { last: { at, jobId: '1', state } };
}

describe('A missed slot of a scheduler', () => {
  const due = NOW - MISSED;

  it('is the next one, when its job has not started in time', () => {
    expect(missedSlot(scheduler(planned(due)), Infinity, MISSED, NOW)).to.equal(due);
    expect(missedSlot(scheduler(planned(due + 1)), Infinity, MISSED, NOW)).to.equal(undefined);
  });

  it('is none of a paused scheduler, nor of one without a next job', () => {
    const paused = scheduler({ ...planned(due), paused: true });
    expect(missedSlot(paused, Infinity, MISSED, NOW)).to.equal(undefined);
    expect(missedSlot(scheduler({}), Infinity, MISSED, NOW)).to.equal(undefined);
  });

  it('is none that is skipped because the job before has not ended', () => {
    const skipping = scheduler({ ...planned(due), overlap: 'skip', ...lastAt(due - 1, 'active') });
    expect(missedSlot(skipping, Infinity, MISSED, NOW)).to.equal(undefined);
    expect(missedSlot(skipping, due + 1, MISSED, NOW)).to.equal(undefined);
    expect(missedSlot(skipping, due, MISSED, NOW)).to.equal(due);
    const gone = scheduler({ ...planned(due), overlap: 'skip', ...lastAt(due - 1, null) });
    expect(missedSlot(gone, Infinity, MISSED, NOW)).to.equal(due);
    const allowing = scheduler({ ...planned(due), ...lastAt(due - 1, 'active') });
    expect(missedSlot(allowing, Infinity, MISSED, NOW)).to.equal(due);
  });

  it('is one whose job started late between two looks', () => {
    expect(wasMissed({ slot: due, startedAt: NOW - 5 }, MISSED, LATE_LOOKS)).to.equal(false);
    const earlier = due - 1000;
    expect(wasMissed({ slot: earlier, startedAt: NOW - 5 }, MISSED, LOOKS)).to.equal(true);
    expect(wasMissed({ slot: earlier, startedAt: NOW - 5 }, MISSED, LATE_LOOKS)).to.equal(true);
    expect(wasMissed({ slot: earlier, startedAt: NOW - 1000 }, MISSED, LOOKS)).to.equal(false);
  });

  it('is none that an earlier look saw, or whose time is not over', () => {
    const before = LATE_LOOKS.before - MISSED;
    expect(wasMissed({ slot: before, startedAt: NOW }, MISSED, LATE_LOOKS)).to.equal(false);
    expect(wasMissed({ slot: before + 1, startedAt: NOW }, MISSED, LATE_LOOKS)).to.equal(true);
    expect(wasMissed({ slot: due + 1, startedAt: NOW }, MISSED, LATE_LOOKS)).to.equal(false);
  });

  it('is reported once, and not again while it is still missed', () => {
    const slot = { queue: queueNamed('reports'), scheduler: 'nightly', slot: NOW - MISSED };
    const first = missedAfter([], [slot], NOW);
    expect(first.messages).to.deep.equal([
      { kind: 'missed', type: 'scheduler.missed', at: NOW, ...slot },
    ]);
    const second = missedAfter(first.missed, [{ ...slot }], NOW + 1);
    expect(second.messages).to.deep.equal([]);
    expect(second.missed[0]).to.equal(first.missed[0]);
    const next = { ...slot, slot: NOW };
    expect(missedAfter(second.missed, [next], NOW + 2).messages).to.have.length(1);
    expect(missedAfter(second.missed, [], NOW + 2).missed).to.deep.equal([]);
  });
});
