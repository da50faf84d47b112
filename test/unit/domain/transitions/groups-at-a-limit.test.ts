import { expect } from 'chai';
import sinon from 'sinon';
import type { StoredQueue } from '../../../../src/adapters/outbound/memory/state/stored-queue.ts';
import { addJobs } from '../../../../src/domain/transitions/add.ts';
import { claim } from '../../../../src/domain/transitions/claim.ts';
import { nextTurn } from '../../../../src/domain/transitions/groups/next-group.ts';
import { park } from '../../../../src/domain/transitions/groups/turns.ts';
import { standingOf } from '../../../../src/domain/transitions/standing.ts';
import { inGroup } from '../../../contracts/groups/group-steps.ts';
import { ANY, claimOf, jobOf } from '../../../contracts/queue-steps.ts';
import { queueState } from '../../../support/queue-state.ts';

const NOW = 1000;
const GROUPS = 50;
const LIMIT = { concurrency: 1 };

describe('a queue with many groups at a limit', () => {
  let queue: StoredQueue;

  beforeEach(() => {
    queue = queueState();
    const each = Array.from({ length: GROUPS }, (_, group) => jobOf(inGroup(`g${group}`)));
    addJobs(queue, [...each, ...each], {}, NOW);
  });
  afterEach(() => {
    sinon.restore();
  });

  // holds: groups.steps
  it('shows that none of them may start a job without a look at each', () => {
    expect(standingOf(queue, {}, NOW)).not.to.have.property('areGroupsBlocked');
    for (const group of queue.groups.all()) park(queue.groups, group, Infinity);
    const looks = sinon.spy(queue.groups, 'jobsOf');
    expect(standingOf(queue, {}, NOW)).to.include({ areGroupsBlocked: true });
    expect(looks.callCount).to.equal(0);
  });

  // holds: groups.steps
  it('has its running jobs counted once, however many groups a claim passes over', () => {
    const terms = { ...ANY, groups: LIMIT };
    for (let count = 0; count < GROUPS; count += 1) claim(queue, claimOf(terms), NOW);
    const counts = sinon.spy(queue.jobs.in.active, 'fromLast');
    expect(nextTurn(queue, LIMIT, NOW)).to.equal(undefined);
    expect(queue.groups.parked.size).to.equal(GROUPS);
    expect(counts.callCount).to.equal(1);
  });
});
