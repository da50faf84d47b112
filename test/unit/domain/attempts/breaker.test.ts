import { expect } from 'chai';
import fc from 'fast-check';
import {
  breakerAfterStart,
  breakerAtClaim,
  breakerClosedUntil,
  CLOSED_BREAKER,
  judged,
  openBreaker,
  PROBE_CHECK,
  REPORTED,
  type BreakerState,
  type Verdict,
} from '../../../../src/domain/attempts/breaker.ts';
import type { ClaimRequest } from '../../../../src/domain/attempts/claim.ts';

const DOWN: Verdict = { isDown: true, reason: 'down', failures: 2, openFor: 100, maxOpenFor: 300 };
const UP: Verdict = { ...DOWN, isDown: false, reason: '' };
const CALL: ClaimRequest = { token: 'token', lockDuration: 1000, hasBreaker: true };
const PROBE = { jobId: '9', token: 'probe' };

function failed(jobId: string): { readonly jobId: string; readonly token: string } {
  return { jobId, token: `token of ${jobId}` };
}

function opened(): BreakerState {
  const first = judged(CLOSED_BREAKER, failed('1'), DOWN, 1000).state;
  return judged(first, failed('2'), DOWN, 1000).state;
}

function probed(): BreakerState {
  return breakerAfterStart(opened(), PROBE, CALL);
}

describe('the breaker', () => {
  it('opens when the calls for enough jobs in a row found the endpoint down', () => {
    const first = judged(CLOSED_BREAKER, failed('1'), DOWN, 1000);
    expect(first.move).to.equal(undefined);
    expect(openBreaker(first.state, 1000)).to.equal(undefined);
    const second = judged(first.state, failed('2'), DOWN, 1000);
    expect(second.move).to.equal('opened');
    const shown = { since: 1000, until: 1100, reason: 'down' };
    expect(openBreaker(second.state, 1000)).to.deep.equal(shown);
  });

  it('counts each job once', () => {
    const first = judged(CLOSED_BREAKER, failed('1'), DOWN, 1000).state;
    expect(judged(first, failed('1'), DOWN, 1001)).to.deep.equal({ state: first });
  });

  it('starts to count again after a call that found the endpoint alive', () => {
    const first = judged(CLOSED_BREAKER, failed('1'), DOWN, 1000).state;
    expect(judged(first, failed('2'), UP, 1000).state).to.deep.equal(CLOSED_BREAKER);
  });

  it('continues to count after a report, which proves nothing except for the probe', () => {
    const first = judged(CLOSED_BREAKER, failed('1'), DOWN, 1000).state;
    expect(judged(first, failed('2'), REPORTED, 1000)).to.deep.equal({ state: first });
    const down = { ...REPORTED, isDown: true };
    expect(judged(first, failed('2'), down, 1000)).to.deep.equal({ state: first });
    expect(judged(probed(), PROBE, REPORTED, 1000).move).to.equal('closed');
  });

  it('lets no call start until its time is over, and then one call at a time', () => {
    expect(breakerClosedUntil(opened(), false, 1099)).to.equal(1100);
    expect(breakerClosedUntil(opened(), false, 1100)).to.equal(undefined);
    expect(breakerClosedUntil(probed(), true, 1100)).to.equal(1100 + PROBE_CHECK);
    expect(breakerClosedUntil(CLOSED_BREAKER, false, 1000)).to.equal(undefined);
  });

  it('closes when the probe finds the endpoint alive', () => {
    expect(judged(probed(), PROBE, UP, 1100)).to.deep.equal({
      state: CLOSED_BREAKER,
      move: 'closed',
    });
  });

  it('stays open for twice the time when the probe fails, up to a bound', () => {
    const once = judged(probed(), PROBE, { ...DOWN, reason: 'still' }, 1100);
    expect(once.move).to.equal(undefined);
    const shown = { since: 1000, until: 1300, reason: 'still' };
    expect(openBreaker(once.state, 1200)).to.deep.equal(shown);
    const again = judged(breakerAfterStart(once.state, PROBE, CALL), PROBE, DOWN, 1300);
    expect(openBreaker(again.state, 1300)?.until).to.equal(1600);
  });

  it('judges no other attempt while it is open', () => {
    for (const verdict of [UP, DOWN]) {
      expect(judged(probed(), failed('3'), verdict, 1100)).to.deep.equal({ state: probed() });
    }
  });

  it('shows no end once that has passed and a probe decides', () => {
    expect(openBreaker(opened(), 1100)).to.deep.equal({ since: 1000, reason: 'down' });
  });

  it('takes no pulled job for its probe', () => {
    const pulled = breakerAfterStart(opened(), PROBE, { ...CALL, isPulled: true });
    expect(pulled).to.deep.equal(opened());
    expect(breakerAfterStart(CLOSED_BREAKER, PROBE, CALL)).to.deep.equal(CLOSED_BREAKER);
  });

  it('disappears with a claim of a worker without a breaker, but not with that of a client', () => {
    const without = { token: 'token', lockDuration: 1000 };
    expect(breakerAtClaim(opened(), without)).to.deep.equal(CLOSED_BREAKER);
    expect(breakerAtClaim(opened(), CALL)).to.deep.equal(opened());
    expect(breakerAtClaim(opened(), { ...without, isPulled: true })).to.deep.equal(opened());
  });

  it('never remembers as many failed jobs as would open it, for any verdicts', () => {
    const events = fc.array(
      fc.record({ jobId: fc.constantFrom('1', '2', '3', '4'), isDown: fc.boolean() }),
    );
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 4 }), (calls, failures) => {
        let state = CLOSED_BREAKER;
        for (const { jobId, isDown } of calls) {
          state = judged(state, failed(jobId), { ...DOWN, isDown, failures }, 1000).state;
          expect(state.failedJobs.length).to.be.below(failures);
          if (state.open !== undefined) expect(state.failedJobs).to.deep.equal([]);
        }
      }),
    );
  });
});
