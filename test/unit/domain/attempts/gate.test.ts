import { expect } from 'chai';
import { CLOSED_BREAKER, PROBE_CHECK } from '../../../../src/domain/attempts/breaker.ts';
import {
  afterCall,
  afterCancellation,
  countedCalls,
  heldAt,
  heldFor,
  refusal,
  type Gate,
} from '../../../../src/domain/attempts/gate.ts';

const OPEN: Gate = {
  isPaused: false,
  hold: undefined,
  breaker: CLOSED_BREAKER,
  isProbing: false,
  running: 0,
  earliestStart: undefined,
};
const HOLD = { since: 500, until: 1500, by: 'endpoint' } as const;
const BROKEN = {
  failedJobs: [],
  open: { since: 500, until: 2000, openFor: 1500, reason: 'down' },
};
const CALL = { token: 'token', lockDuration: 1000, hasBreaker: true };
const PULL = { ...CALL, isPulled: true };
const LIMITER = { max: 1, duration: 1000 };

describe('the gate of a queue', () => {
  it('lets a claim take a job', () => {
    expect(refusal(OPEN, { ...CALL, concurrency: 1, limiter: LIMITER }, 1000)).to.equal(undefined);
  });

  it('refuses all claims while the queue is held', () => {
    const held = { ...OPEN, hold: HOLD, breaker: BROKEN, isPaused: true };
    for (const request of [CALL, PULL]) {
      expect(refusal(held, request, 1499)).to.deep.equal({ kind: 'limited', until: 1500 });
    }
    expect(refusal({ ...OPEN, hold: HOLD }, CALL, 1500)).to.equal(undefined);
  });

  it('refuses calls while the breaker is open, and no pulls', () => {
    const broken = { ...OPEN, breaker: BROKEN };
    expect(refusal(broken, CALL, 1000)).to.deep.equal({ kind: 'limited', until: 2000 });
    expect(refusal(broken, PULL, 1000)).to.equal(undefined);
    const probing = { ...broken, isProbing: true };
    const until = 2000 + PROBE_CHECK;
    expect(refusal(probing, CALL, 2000)).to.deep.equal({ kind: 'limited', until });
  });

  it('has claims wait while the queue is paused', () => {
    expect(refusal({ ...OPEN, isPaused: true }, PULL, 1000)).to.deep.equal({ kind: 'idle' });
  });

  it('has claims wait while as many attempts run as allowed', () => {
    const running = { ...OPEN, running: 2 };
    expect(refusal(running, { ...CALL, concurrency: 2 }, 1000)).to.deep.equal({ kind: 'idle' });
    expect(refusal(running, { ...CALL, concurrency: 3 }, 1000)).to.equal(undefined);
    expect(refusal(running, PULL, 1000)).to.equal(undefined);
  });

  it('refuses claims until the limiter allows a start', () => {
    const request = { ...CALL, limiter: LIMITER };
    const limited = { kind: 'limited', until: 2050 };
    expect(refusal({ ...OPEN, earliestStart: 1000 }, request, 1000)).to.deep.equal(limited);
    const paused = { ...OPEN, earliestStart: 1000, isPaused: true };
    expect(refusal(paused, request, 1000)).to.deep.equal(limited);
    expect(refusal({ ...OPEN, earliestStart: 1000 }, request, 2050)).to.equal(undefined);
  });

  describe('with holds', () => {
    it('is held until a hold is over', () => {
      expect(heldAt(HOLD, 1499)).to.deep.equal(HOLD);
      expect(heldAt(HOLD, 1500)).to.equal(undefined);
      expect(heldAt(undefined, 1500)).to.equal(undefined);
    });

    it('keeps the longer of two holds with who asked for it, and since when it is held', () => {
      const by = 'caller';
      expect(heldFor(HOLD, 100, by, 1000)).to.deep.equal(HOLD);
      expect(heldFor(HOLD, 500, by, 1000)).to.deep.equal(HOLD);
      expect(heldFor(HOLD, 600, by, 1000)).to.deep.equal({ since: 500, until: 1600, by });
      expect(heldFor(HOLD, 600, by, 1500)).to.deep.equal({ since: 1500, until: 2100, by });
      expect(heldFor(undefined, 600, by, 1000)).to.deep.equal({ since: 1000, until: 1600, by });
    });
  });

  describe('with calls for cancelled jobs', () => {
    const lock = { token: 'one', expiresAt: 1500, isCalled: true };
    const calls = afterCancellation(new Map(), lock, 1000);

    it('counts a call until it is over', () => {
      expect([...countedCalls(calls, 1499).keys()]).to.deep.equal(['one']);
      expect(afterCall(calls, 'one').size).to.equal(0);
      expect(afterCall(calls, 'other')).to.equal(calls);
    });

    it('counts a call no longer than its lock would have lasted', () => {
      const both = afterCancellation(calls, { ...lock, token: 'two', expiresAt: 1600 }, 1000);
      expect([...countedCalls(both, 1500).keys()]).to.deep.equal(['two']);
    });

    it('counts none for a pulled job, nor for one without a lock in force', () => {
      expect(afterCancellation(calls, { ...lock, isCalled: false }, 1000)).to.equal(calls);
      expect(afterCancellation(calls, lock, 1500)).to.equal(calls);
    });

    it('does not change its input', () => {
      afterCancellation(calls, { ...lock, token: 'two' }, 1000);
      afterCall(calls, 'one');
      countedCalls(calls, 1500);
      expect([...calls]).to.deep.equal([['one', 1500]]);
    });
  });
});
