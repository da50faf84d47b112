import { expect } from 'chai';
import {
  attemptsCount,
  KEPT_ATTEMPTS,
  withAttempt,
  type AttemptEnd,
  type StoredAttempt,
} from '../../../../src/domain/attempts/attempt-record.ts';

const FAILED: AttemptEnd = { outcome: 'failed', status: 500, reason: 'no' };

function recordOf(ends: readonly AttemptEnd[]): readonly StoredAttempt[] {
  let record: readonly StoredAttempt[] = [];
  ends.forEach((end, index) => {
    record = withAttempt(record, end, index, index + 1);
  });
  return record;
}

describe('the record of attempts', () => {
  it('has what is known of each attempt, and null for the rest', () => {
    const [first, second] = recordOf([FAILED, { outcome: 'stalled' }]);
    const times = { number: 1, startedAt: 0, endedAt: 1 };
    expect(first).to.deep.equal({
      ...FAILED,
      ...times,
      response: null,
      replica: null,
      traceId: null,
    });
    const unknown = { status: null, reason: null, response: null, replica: null, traceId: null };
    const later = { number: 2, startedAt: 1, endedAt: 2 };
    expect(second).to.deep.equal({ outcome: 'stalled', ...later, ...unknown });
  });

  it('gives the number of a deferred attempt to the next one', () => {
    const record = recordOf([FAILED, { outcome: 'deferred' }, FAILED]);
    expect(record.map(({ number }) => number)).to.deep.equal([1, 2, 2]);
  });

  it('keeps the latest attempts, and counts all of them', () => {
    const record = recordOf(Array.from({ length: KEPT_ATTEMPTS + 5 }, () => FAILED));
    expect(record).to.have.lengthOf(KEPT_ATTEMPTS);
    expect(attemptsCount(record)).to.equal(KEPT_ATTEMPTS + 5);
  });
});
