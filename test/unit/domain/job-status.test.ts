import { expect } from 'chai';
import {
  holdsNoJob,
  inListingOrder,
  isJobState,
  JOB_STATES,
  JOB_STATUSES,
  NO_JOBS,
  type JobStatus,
} from '../../../src/domain/jobs/job-status.ts';

const NONE = { active: 0, waiting: 0, prioritized: 0, delayed: 0, completed: 0, failed: 0 };

describe('job status', () => {
  // holds: states.six
  it('is one of six', () => {
    expect(JOB_STATUSES).to.have.members(Object.keys(NONE));
    for (const status of JOB_STATUSES) expect(isJobState(status)).to.equal(true);
    for (const other of ['', 'all', 'paused', 'Waiting', ' waiting', 'wait', 'constructor']) {
      expect(isJobState(other)).to.equal(false);
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

  it('recognizes a queue that holds no job in any state', () => {
    expect(holdsNoJob(NO_JOBS)).to.equal(true);
    for (const state of JOB_STATES) {
      expect(holdsNoJob({ ...NO_JOBS, [state]: 1 })).to.equal(false);
    }
  });
});
