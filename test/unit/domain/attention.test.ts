import { expect } from 'chai';
import {
  ATTENTION_REASONS,
  attentionOf,
  type QueueCondition,
} from '../../../src/domain/workers/attention.ts';
import type { BlockingReason } from '../../../src/domain/workers/blocked.ts';

const MINUTE = 60_000;
const FAILING = { window: 3_600_000, ended: 10, failed: 5 };

function reason(fields: Partial<QueueCondition>): string | undefined {
  return attentionOf({ blocked: null, failing: null, oldestWaiting: null, ...fields })?.reason;
}

function blockedBy(reason: BlockingReason) {
  return { reason, detail: '' };
}

describe('The attention that a queue needs', () => {
  it('is none while jobs start and do not fail, however many wait', () => {
    expect(reason({ oldestWaiting: 60 * MINUTE })).to.equal(undefined);
  });

  it('is due at once when nothing starts that should', () => {
    for (const cause of ['disabled', 'open', 'no-worker', 'children'] as const) {
      expect(reason({ blocked: blockedBy(cause) })).to.equal(cause);
    }
  });

  it('is due in a paused queue after ten minutes, and after five where a limit holds jobs back', () => {
    const paused = blockedBy('paused');
    expect(reason({ blocked: paused, oldestWaiting: 10 * MINUTE })).to.equal(undefined);
    expect(reason({ blocked: paused, oldestWaiting: 10 * MINUTE + 1 })).to.equal('paused');
    for (const cause of ['held', 'limiter', 'concurrency', 'groups', 'delayed'] as const) {
      const blocked = blockedBy(cause);
      expect(reason({ blocked, oldestWaiting: 5 * MINUTE })).to.equal(undefined);
      expect(reason({ blocked, oldestWaiting: 5 * MINUTE + 1 })).to.equal('late');
    }
  });

  it('is due when jobs fail, unless there is a reason why none starts', () => {
    expect(reason({ failing: FAILING })).to.equal('failing');
    expect(reason({ failing: FAILING, blocked: blockedBy('open') })).to.equal('open');
    expect(reason({ failing: FAILING, blocked: blockedBy('paused') })).to.equal('failing');
  });

  it('has a severity, 1 for the most severe reason', () => {
    const severityOf = (condition: Partial<QueueCondition>) =>
      attentionOf({ blocked: null, failing: null, oldestWaiting: null, ...condition })?.severity;
    expect(severityOf({ blocked: blockedBy('disabled') })).to.equal(1);
    expect(severityOf({ failing: FAILING })).to.equal(ATTENTION_REASONS.indexOf('failing') + 1);
  });
});
