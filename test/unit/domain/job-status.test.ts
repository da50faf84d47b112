import { expect } from 'chai';
import {
  holdsNoJob,
  inListingOrder,
  isJobStatus,
  JOB_STATUSES,
  type JobStatus,
} from '../../../src/domain/jobs/job-status.ts';

const NONE = { active: 0, waiting: 0, prioritized: 0, delayed: 0, completed: 0, failed: 0 };

describe('job status', () => {
  // holds: states.six
  it('is one of six', () => {
    expect(JOB_STATUSES).to.have.members(Object.keys(NONE));
    for (const status of JOB_STATUSES) expect(isJobStatus(status)).to.equal(true);
    for (const other of ['', 'all', 'paused', 'Waiting', ' waiting', 'wait', 'constructor']) {
      expect(isJobStatus(other)).to.equal(false);
    }
  });

  for (const [given, ordered] of [
    [[], []],
    [['failed'], ['failed']],
    [
      ['failed', 'waiting', 'active'],
      ['active', 'waiting', 'failed'],
    ],
    [['waiting', 'waiting', 'waiting'], ['waiting']],
    [[...JOB_STATUSES, ...JOB_STATUSES].reverse(), JOB_STATUSES],
  ] as readonly (readonly [JobStatus[], JobStatus[]])[]) {
    it(`puts ${given.join(', ') || 'none'} in listing order, each once`, () => {
      expect(inListingOrder(given)).to.deep.equal(ordered);
    });
  }

  it('recognizes a queue that holds no job of any status', () => {
    expect(holdsNoJob(NONE)).to.equal(true);
    for (const status of JOB_STATUSES) {
      expect(holdsNoJob({ ...NONE, [status]: 1 })).to.equal(false);
    }
  });
});
