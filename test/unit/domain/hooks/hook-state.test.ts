import { expect } from 'chai';
import {
  isOutdated,
  stateAfterHandover,
  stateAfterLook,
  stateOf,
  type LookResult,
} from '../../../../src/domain/hooks/hook-state.ts';
import { queueNamed } from '../../../support/queue-named.ts';

const HOOK = { id: 'on-call', createdAt: 36 };
const FRESH = stateOf(HOOK, undefined);
const TEST = { kind: 'test', type: 'hook.test', at: 1 } as const;
const NOTHING: LookResult = { conditions: {}, missed: [], lookedAt: 5, messages: [] };

describe('The state of a hook', () => {
  it('is empty at first, and for a hook whose predecessor had the same id', () => {
    expect(FRESH).to.include({ createdAt: 36, version: 0 });
    const later = stateAfterLook(HOOK, FRESH, { ...NOTHING, messages: [TEST] })!;
    expect(stateOf(HOOK, later)).to.equal(later);
    expect(stateOf({ createdAt: 37 }, later)).to.deep.equal({ ...FRESH, createdAt: 37 });
  });

  it('does not change when nothing did', () => {
    expect(stateAfterLook(HOOK, FRESH, NOTHING)).to.equal(undefined);
    const held = { queue: queueNamed('mail'), since: 1 };
    const conditions = { 'queue.late': [held] };
    const state = stateAfterLook(HOOK, FRESH, { ...NOTHING, conditions })!;
    expect(state.conditions).to.deep.equal(conditions);
    expect(stateAfterLook(HOOK, state, { ...NOTHING, conditions })).to.equal(undefined);
    expect(stateAfterLook(HOOK, state, NOTHING)).not.to.equal(undefined);
  });

  it('does not take what an earlier look found, unless the clock was set back', () => {
    const state = { ...FRESH, lookedAt: 100_000 };
    expect(isOutdated(state, 99_999)).to.equal(true);
    expect(isOutdated(state, 100_000)).to.equal(false);
    expect(isOutdated(state, 40_000)).to.equal(false);
  });

  it('gives each message an id that no other one gets', () => {
    const first = stateAfterLook(HOOK, FRESH, { ...NOTHING, messages: [TEST, TEST] })!;
    const second = stateAfterLook(HOOK, first, { ...NOTHING, messages: [TEST] })!;
    expect(second.outbox.map(({ id }) => id)).to.deep.equal([
      'on-call.10.1.0',
      'on-call.10.1.1',
      'on-call.10.2.0',
    ]);
  });

  it('loses only the messages that were handed over', () => {
    const first = stateAfterLook(HOOK, FRESH, { ...NOTHING, messages: [TEST] })!;
    const second = stateAfterLook(HOOK, first, { ...NOTHING, messages: [TEST] })!;
    const left = stateAfterHandover(second, first.outbox)!;
    expect(left.outbox.map(({ id }) => id)).to.deep.equal(['on-call.10.2.0']);
    expect(left.version).to.equal(2);
    expect(stateAfterHandover(left, first.outbox)).to.equal(undefined);
  });
});
