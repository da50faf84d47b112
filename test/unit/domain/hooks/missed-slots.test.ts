import { expect } from 'chai';
import { missedAfter, missedSlot } from '../../../../src/domain/hooks/missed-slots.ts';
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
  it('is the next one, when its job has not started in time', () => {
    const due = NOW - MISSED;
    expect(missedSlot(scheduler(planned(due)), {}, MISSED, LOOKS)).to.equal(due);
    expect(missedSlot(scheduler(planned(due + 1)), {}, MISSED, LOOKS)).to.equal(undefined);
  });

  it('is none of a paused scheduler, nor of one without a next job', () => {
    const paused = scheduler({ ...planned(NOW - MISSED), paused: true });
    expect(missedSlot(paused, {}, MISSED, LOOKS)).to.equal(undefined);
    expect(missedSlot(scheduler({}), {}, MISSED, LOOKS)).to.equal(undefined);
  });

  it('is none that is skipped because the job before has not ended', () => {
    const due = NOW - MISSED;
    const skipping = scheduler({ ...planned(due), overlap: 'skip', ...lastAt(due - 1, 'active') });
    expect(missedSlot(skipping, {}, MISSED, LOOKS)).to.equal(undefined);
    expect(missedSlot(skipping, { endedAt: due + 1 }, MISSED, LOOKS)).to.equal(undefined);
    expect(missedSlot(skipping, { endedAt: due }, MISSED, LOOKS)).to.equal(due);
    const gone = scheduler({ ...planned(due), overlap: 'skip', ...lastAt(due - 1, null) });
    expect(missedSlot(gone, {}, MISSED, LOOKS)).to.equal(due);
    const allowing = scheduler({ ...planned(due), ...lastAt(due - 1, 'active') });
    expect(missedSlot(allowing, {}, MISSED, LOOKS)).to.equal(due);
  });

  it('is the last one, when its job started late while no replica looked', () => {
    const at = NOW - 1_800_000;
    const stored = scheduler({ ...planned(NOW + 1), ...lastAt(at) });
    expect(missedSlot(stored, { startedAt: NOW - 5 }, MISSED, LATE_LOOKS)).to.equal(at);
    expect(missedSlot(stored, { startedAt: at + 5 }, MISSED, LATE_LOOKS)).to.equal(undefined);
    expect(missedSlot(stored, {}, MISSED, LATE_LOOKS), 'its job is gone').to.equal(at);
  });

  it('is none that an earlier look saw, or whose time is not over', () => {
    const before = LATE_LOOKS.before - MISSED;
    const seen = scheduler({ ...planned(NOW + 1), ...lastAt(before) });
    expect(missedSlot(seen, { startedAt: NOW }, MISSED, LATE_LOOKS)).to.equal(undefined);
    const early = scheduler({ ...planned(NOW + 1), ...lastAt(NOW - MISSED + 1) });
    expect(missedSlot(early, {}, MISSED, LATE_LOOKS)).to.equal(undefined);
    const justBefore = scheduler({ ...planned(NOW + 1), ...lastAt(LATE_LOOKS.before, null) });
    expect(missedSlot(justBefore, {}, MISSED, LATE_LOOKS)).to.equal(undefined);
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
