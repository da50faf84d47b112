import { expect } from 'chai';
import {
  afterEnding,
  afterRelease,
  recordOf,
  type AttemptEnding,
} from '../../../../src/domain/attempts/ending.ts';

const DEFERRED: AttemptEnding = {
  kind: 'deferred',
  reason: 'later',
  scope: 'queue',
  until: 1500,
  call: { outcome: 'deferred', status: 429 },
};

describe('the end of an attempt', () => {
  it('ends the job', () => {
    const keep = { count: 1 };
    const completed = afterEnding({ kind: 'completed', returnvalue: 1, keep }, 1000);
    const move = { to: 'end', status: 'completed', keep };
    expect(completed).to.deep.equal({ move, counts: true });
    const failed = afterEnding({ kind: 'failed', reason: 'no' }, 1000);
    expect(failed.move).to.deep.equal({ to: 'end', status: 'failed', keep: undefined });
  });

  it('has the job retried, at once in its place or after a delay', () => {
    const retry = { kind: 'retry', reason: 'no', delay: 0 } as const;
    expect(afterEnding(retry, 1000)).to.deep.equal({ move: { to: 'place' }, counts: true });
    const later = { move: { to: 'delayed', delay: 7 }, counts: true };
    expect(afterEnding({ ...retry, delay: 7 }, 1000)).to.deep.equal(later);
  });

  it('puts a deferred job back and holds its queue, or delays only the job', () => {
    const held = { move: { to: 'back' }, counts: false, holds: 500 };
    expect(afterEnding(DEFERRED, 1000)).to.deep.equal(held);
    const delayed = { move: { to: 'delayed', delay: 500 }, counts: false };
    expect(afterEnding({ ...DEFERRED, scope: 'job' }, 1000)).to.deep.equal(delayed);
  });

  it('puts a deferred job back and holds nothing when its time has come', () => {
    const back = { move: { to: 'back' }, counts: false };
    for (const scope of ['queue', 'job'] as const) {
      expect(afterEnding({ ...DEFERRED, scope }, 1500)).to.deep.equal(back);
    }
  });

  it('puts a released job back, at once or after a delay', () => {
    expect(afterRelease(0)).to.deep.equal({ to: 'back' });
    expect(afterRelease(5)).to.deep.equal({ to: 'delayed', delay: 5 });
  });

  it('is recorded with its reason, or with the flaw of a successful answer', () => {
    expect(recordOf(DEFERRED)).to.deep.equal({
      outcome: 'deferred',
      status: 429,
      reason: 'later',
    });
    const call = { outcome: 'completed', status: 200 } as const;
    const completed = { kind: 'completed', returnvalue: 1 } as const;
    expect(recordOf({ ...completed, call })).to.deep.equal({ ...call, reason: null });
    const doubted = { ...call, doubt: 'not JSON' };
    expect(recordOf({ ...completed, call: doubted })).to.include({ reason: 'not JSON' });
    expect(recordOf({ kind: 'failed', reason: 'no' })).to.equal(undefined);
  });
});
