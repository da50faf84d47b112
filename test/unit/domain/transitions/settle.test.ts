import { expect } from 'chai';
import type { AttemptEnding } from '../../../../src/domain/attempts/ending.ts';
import type { JobRecord } from '../../../../src/domain/records/job-record.ts';
import { addJobs } from '../../../../src/domain/transitions/add.ts';
import { claim } from '../../../../src/domain/transitions/claim.ts';
import { settle } from '../../../../src/domain/transitions/settle.ts';
import { recoverStalled } from '../../../../src/domain/transitions/stalled.ts';
import type { StoredQueue } from '../../../../src/adapters/outbound/memory/state/stored-queue.ts';
import {
  ANY,
  claimOf,
  COMPLETED,
  FAILED,
  jobOf,
  retryAfter,
} from '../../../contracts/queue-steps.ts';
import { eventsOf, placesIn, queueState } from '../../../support/queue-state.ts';

const NOW = 1000;
const GRACE = 100;
const CALL = { outcome: 'deferred' } as const;

/** Job 1 runs, and job 2 waits. */
function running(): readonly [queue: StoredQueue, attempt: { jobId: string; token: string }] {
  const queue = queueState();
  addJobs(queue, [jobOf(), jobOf()], {}, NOW);
  const claimed = claim(queue, claimOf(ANY), NOW);
  if (claimed.kind !== 'attempt') throw new Error('The job did not start');
  return [queue, claimed.attempt];
}

function deferred(scope: 'job' | 'queue', until: number): AttemptEnding {
  return { kind: 'deferred', reason: 'Busy', scope, until, call: CALL };
}

interface Case {
  readonly ending: AttemptEnding;
  readonly places: object;
  readonly events: readonly string[];
  readonly job: Partial<JobRecord>;
}

const CASES: Readonly<Record<string, Case>> = {
  'completes its job': {
    ending: { ...COMPLETED, returnvalue: { a: 1 } },
    places: { waiting: ['2'], completed: ['1'] },
    events: ['completed 1'],
    job: { returnvalue: '{"a":1}', attemptsMade: 1, finishedOn: NOW },
  },
  'fails its job for good': {
    ending: FAILED,
    places: { waiting: ['2'], failed: ['1'] },
    events: ['failed 1'],
    job: { failedReason: 'it broke', stacktrace: ['it broke'], attemptsMade: 1 },
  },
  'sends its job behind the others to try again at once': {
    ending: retryAfter(0),
    places: { waiting: ['2', '1'] },
    events: ['waiting 1'],
    job: { failedReason: 'try again', attemptsMade: 1 },
  },
  'delays its job to try again later': {
    ending: retryAfter(500),
    places: { waiting: ['2'], delayed: ['1'] },
    events: ['delayed 1'],
    job: { delay: 500, attemptsMade: 1 },
  },
  'puts its job back and holds the queue': {
    ending: deferred('queue', NOW + 500),
    places: { waiting: ['1', '2'] },
    events: ['deferred 1', 'held', 'waiting 1'],
    job: { deferrals: 1, attemptsMade: 0 },
  },
  'delays its job alone, without counting': {
    ending: deferred('job', NOW + 500),
    places: { waiting: ['2'], delayed: ['1'] },
    events: ['deferred 1', 'delayed 1'],
    job: { deferrals: 1, attemptsMade: 0 },
  },
  'puts its job back when the time to wait is over': {
    ending: deferred('queue', NOW),
    places: { waiting: ['1', '2'] },
    events: ['deferred 1', 'waiting 1'],
    job: { deferrals: 1, attemptsMade: 0 },
  },
};

describe('an attempt that ends', () => {
  for (const [title, { ending, places, events, job }] of Object.entries(CASES)) {
    it(title, () => {
      const [queue, attempt] = running();
      const before = eventsOf(queue).length;
      expect(settle(queue, attempt, ending, NOW).held).to.equal(true);
      expect(placesIn(queue)).to.deep.equal(places);
      expect(eventsOf(queue).slice(before)).to.deep.equal(events);
      expect(queue.jobs.find('1')).to.deep.include({ ...job, lock: undefined });
    });
  }

  it('changes nothing once it has lost its job', () => {
    const [queue, attempt] = running();
    settle(queue, attempt, COMPLETED, NOW);
    const events = eventsOf(queue);
    expect(settle(queue, attempt, FAILED, NOW)).to.deep.equal({ held: false });
    expect(eventsOf(queue)).to.deep.equal(events);
  });
});

describe('an attempt that stalls', () => {
  const late = NOW + 2 * ANY.lockDuration;

  it('is found by the second check without a lock, and put ahead of all others', () => {
    const [queue] = running();
    expect(recoverStalled(queue, 1, GRACE, late).stalled).to.deep.equal([]);
    expect(recoverStalled(queue, 1, GRACE, late + GRACE).stalled).to.deep.equal(['1']);
    expect(placesIn(queue)).to.deep.equal({ waiting: ['1', '2'] });
    expect(queue.jobs.find('1')).to.include({ stalledCount: 1, mustFail: undefined });
  });

  it('is looked for once within the grace period', () => {
    const [queue] = running();
    recoverStalled(queue, 1, GRACE, late);
    expect(recoverStalled(queue, 1, GRACE, late + GRACE - 1).stalled).to.deep.equal([]);
  });

  it('makes its job fail when that happened too often', () => {
    const [queue] = running();
    recoverStalled(queue, 0, GRACE, late);
    recoverStalled(queue, 0, GRACE, late + GRACE);
    expect(queue.jobs.find('1')).to.have.property('mustFail');
  });
});
