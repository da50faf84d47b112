import { expect } from 'chai';
import type { StoredQueue } from '../../../../src/adapters/outbound/memory/state/stored-queue.ts';
import { addJobs } from '../../../../src/domain/transitions/add.ts';
import { nextTurn } from '../../../../src/domain/transitions/groups/next-group.ts';
import { nextTurnAt, park } from '../../../../src/domain/transitions/groups/turns.ts';
import { inGroup } from '../../../contracts/groups/group-steps.ts';
import { jobOf } from '../../../contracts/queue-steps.ts';
import { queueState } from '../../../support/queue-state.ts';

const NOW = 1000;
const GROUPS = 2500;

describe('other defaults of a queue with many parked groups', () => {
  let queue: StoredQueue;

  beforeEach(() => {
    queue = queueState();
    const jobs = Array.from({ length: GROUPS }, (_, group) => jobOf(inGroup(`g${group}`)));
    addJobs(queue, jobs, {}, NOW);
    for (const group of queue.groups.all()) park(queue.groups, group, Infinity);
  });

  /** How many groups wait for something to free them. */
  const blocked = (): number =>
    [...queue.groups.all()].filter((group) => queue.groups.parked.timeOf(group) === Infinity)
      .length;

  const look = (): boolean => nextTurn(queue, { concurrency: 5 }, NOW) !== undefined;

  // holds: groups.steps
  it('free 1,000 of them with each look, until none is left', () => {
    for (const left of [1500, 500, 0, 0]) {
      expect(look()).to.equal(true);
      expect(blocked()).to.equal(left);
    }
  });

  it('go on once the queue was read again from its records', () => {
    look();
    const written = JSON.stringify(queue.groups.sharedRecord);
    queue.groups.restoreShared(JSON.parse(written) as typeof queue.groups.sharedRecord);
    look();
    expect(blocked()).to.equal(500);
  });

  // holds: groups.steps
  it('have the queue looked at again at once, and end although none of them may start a job', () => {
    for (const group of queue.groups.all()) queue.groups.write(group, { isPaused: true });
    let looks = 0;
    do {
      expect(look()).to.equal(false);
      looks += 1;
      expect(looks).to.be.below(GROUPS / 50);
    } while ((nextTurnAt(queue.groups) ?? Infinity) <= NOW);
    expect(blocked()).to.equal(GROUPS);
    expect(look()).to.equal(false);
    expect(blocked()).to.equal(GROUPS);
  });
});
