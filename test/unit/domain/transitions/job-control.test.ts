import { expect } from 'chai';
import type { ActionOutcome } from '../../../../src/domain/jobs/job-actions.ts';
import type { JobState } from '../../../../src/domain/jobs/job-status.ts';
import { addFlow } from '../../../../src/domain/transitions/add-flow.ts';
import { addJobs } from '../../../../src/domain/transitions/add.ts';
import { claim } from '../../../../src/domain/transitions/claim.ts';
import {
  cancelJob,
  changeJob,
  promoteJob,
  removeJob,
  retryJob,
} from '../../../../src/domain/transitions/job-control.ts';
import { settle } from '../../../../src/domain/transitions/settle.ts';
import type { StoredQueue } from '../../../../src/adapters/outbound/memory/state/stored-queue.ts';
import { ANY, claimOf, COMPLETED, FAILED, jobOf } from '../../../contracts/queue-steps.ts';
import { eventsOf, placesIn, queueState } from '../../../support/queue-state.ts';

const NOW = 1000;

/** Brings job 1 of an empty queue into a state. */
const INTO: Readonly<Record<JobState, (queue: StoredQueue) => void>> = {
  waiting: (queue) => addJobs(queue, [jobOf()], {}, NOW),
  prioritized: (queue) => addJobs(queue, [jobOf({ priority: 1 })], {}, NOW),
  delayed: (queue) => addJobs(queue, [jobOf({ delay: 500 })], {}, NOW),
  active: start,
  completed: (queue) => {
    settle(queue, start(queue), COMPLETED, NOW);
  },
  failed: (queue) => {
    settle(queue, start(queue), FAILED, NOW);
  },
  'waiting-children': (queue) => {
    const { name } = queue;
    const child = { queue: name, id: '2', job: jobOf(), parent: 0, isParent: false } as const;
    const parent = {
      queue: name,
      id: '1',
      job: jobOf(),
      parent: undefined,
      isParent: true,
    } as const;
    const jobs = [parent, child].map((job) => ({ ...job, onFailure: 'wait' as const }));
    const limits = { maxWaiting: () => undefined, maxWaitingOfGroup: () => undefined };
    addFlow(
      jobs,
      limits,
      () => queue,
      () => queue,
      NOW,
    );
  },
};

function start(queue: StoredQueue): { jobId: string; token: string } {
  addJobs(queue, [jobOf()], {}, NOW);
  const claimed = claim(queue, claimOf(ANY), NOW);
  if (claimed.kind !== 'attempt') throw new Error('The job did not start');
  return claimed.attempt;
}

const DONE: ActionOutcome = { kind: 'done' };

interface Action {
  readonly act: (queue: StoredQueue) => ActionOutcome;
  /** The state after it, by the state before; any other is refused. */
  readonly moves: Partial<Record<JobState, JobState | 'gone'>>;
  /** The events of it, after those that wake. */
  readonly event?: string;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  remove: {
    act: (queue) => removeJob(queue, '1', NOW),
    moves: {
      waiting: 'gone',
      prioritized: 'gone',
      delayed: 'gone',
      completed: 'gone',
      failed: 'gone',
      'waiting-children': 'gone',
    },
    event: 'removed 1',
  },
  promote: {
    act: (queue) => promoteJob(queue, '1', 0),
    moves: { delayed: 'waiting' },
    event: 'waiting 1',
  },
  retry: {
    act: (queue) => retryJob(queue, '1', {}, 0),
    moves: { completed: 'waiting', failed: 'waiting' },
    event: 'waiting 1',
  },
  cancel: {
    act: (queue) => cancelJob(queue, '1', { reason: 'Enough' }, NOW),
    moves: {
      waiting: 'failed',
      prioritized: 'failed',
      delayed: 'failed',
      active: 'failed',
      'waiting-children': 'failed',
    },
    event: 'cancelled 1',
  },
  'change of the data': {
    act: (queue) => changeJob(queue, '1', { data: 2 }, NOW),
    moves: {
      waiting: 'waiting',
      prioritized: 'prioritized',
      delayed: 'delayed',
      'waiting-children': 'waiting-children',
    },
  },
  'change of the priority': {
    act: (queue) => changeJob(queue, '1', { priority: 3 }, NOW),
    moves: { waiting: 'prioritized', prioritized: 'prioritized' },
  },
  'change of the delay': {
    act: (queue) => changeJob(queue, '1', { delay: 900 }, NOW),
    moves: { delayed: 'delayed' },
    event: 'delayed 1',
  },
};

for (const [name, { act, moves, event }] of Object.entries(ACTIONS)) {
  describe(`a ${name}`, () => {
    for (const [before, bring] of Object.entries(INTO) as [JobState, (typeof INTO)[JobState]][]) {
      const after = moves[before];
      it(`of a job that is ${before} ${after === undefined ? 'is refused' : `makes it ${after}`}`, () => {
        const queue = queueState();
        bring(queue);
        const [places, events] = [placesIn(queue), eventsOf(queue)];
        const outcome = act(queue);
        if (after === undefined) {
          expect(outcome).to.deep.equal({ kind: 'refused', state: before });
          expect([placesIn(queue), eventsOf(queue)]).to.deep.equal([places, events]);
          return;
        }
        expect(outcome).to.deep.equal(DONE);
        expect(queue.jobs.find('1')?.status ?? 'gone').to.equal(after);
        if (event !== undefined) expect(eventsOf(queue).slice(events.length)).to.include(event);
      });
    }
  });
}
