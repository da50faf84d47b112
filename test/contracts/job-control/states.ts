import { expect } from 'chai';
import type { JobControlPort } from '../../../src/application/ports/job-control-port.ts';
import {
  statesFor,
  type ActionOutcome,
  type JobAction,
} from '../../../src/domain/jobs/job-actions.ts';
import { JOB_STATUSES, type JobState } from '../../../src/domain/jobs/job-status.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { countsOf, read, uniqueQueue } from '../queue-steps.ts';
import { placedJob } from './placed-job.ts';

type Act = (control: JobControlPort, queue: QueueName, jobId: string) => Promise<ActionOutcome>;

/** What an action that changes nothing must not change. */
const NEW = { opts: { attempts: 7 }, data: 'new' };

const ACTIONS: Readonly<Record<JobAction, Act>> = {
  remove: (control, queue, jobId) => control.remove(queue, jobId),
  removeActive: (control, queue, jobId) => control.removeActive(queue, jobId),
  promote: (control, queue, jobId) => control.promote(queue, jobId),
  retry: (control, queue, jobId) => control.retry(queue, jobId, NEW),
  cancel: (control, queue, jobId) => control.cancel(queue, jobId, { reason: 'no more' }),
  changeData: (control, queue, jobId) => control.change(queue, jobId, { data: 'new' }),
  changePriority: (control, queue, jobId) => control.change(queue, jobId, { priority: 3 }),
  changeDelay: (control, queue, jobId) => control.change(queue, jobId, { delay: 5000 }),
  changeCost: (control, queue, jobId) => control.change(queue, jobId, { cost: 5 }),
};

type ActWithin = (
  control: JobControlPort,
  queue: QueueName,
  jobId: string,
  within: readonly JobState[],
) => Promise<ActionOutcome>;

const WITHIN: Readonly<Record<'remove' | 'retry' | 'cancel', ActWithin>> = {
  remove: (control, queue, jobId, within) => control.removeAlone(queue, jobId, within),
  retry: (control, queue, jobId, within) => control.retry(queue, jobId, {}, within),
  cancel: (control, queue, jobId, within) =>
    control.cancel(queue, jobId, { reason: 'no more' }, within),
};

const ROUNDS = 20;

export function describeStates(harness: () => QueueHarness): void {
  for (const [name, act] of Object.entries(ACTIONS) as [JobAction, Act][]) {
    describe(name, () => {
      for (const state of JOB_STATUSES) {
        if (statesFor(name).includes(state)) {
          it(`is done to a job that is ${state}`, async () => {
            const queue = uniqueQueue();
            const id = await placedJob(harness(), queue, state);
            const outcome = await act(harness().jobControl, queue, id);
            expect(outcome).to.deep.equal({ kind: 'done' });
          });
        } else {
          // holds: actions.refused
          it(`is refused for a job that is ${state}, and changes nothing`, async () => {
            const { queues, jobControl } = harness();
            const queue = uniqueQueue();
            const id = await placedJob(harness(), queue, state);
            const before = [await read(queues, queue, id), await countsOf(queues, queue)];
            const outcome = await act(jobControl, queue, id);
            expect(outcome).to.deep.equal({ kind: 'refused', state });
            const after = [await read(queues, queue, id), await countsOf(queues, queue)];
            expect(after).to.deep.equal(before);
          });
        }
      }

      // holds: actions.unknown
      it('finds no job that is not there', async () => {
        const queue = uniqueQueue();
        const missing = { kind: 'missing' };
        expect(await act(harness().jobControl, queue, '1')).to.deep.equal(missing);
        await placedJob(harness(), queue, 'active');
        for (const id of ['2', '1:logs', '1:lock', '']) {
          expect(await act(harness().jobControl, queue, id), id).to.deep.equal(missing);
        }
      });
    });
  }

  for (const [name, act] of Object.entries(WITHIN)) {
    // holds: repair.skipped
    it(`can ${name} a job within some states alone`, async () => {
      const { queues, jobControl } = harness();
      for (const state of statesFor(name as JobAction)) {
        if (state === 'waiting-children') continue;
        const queue = uniqueQueue();
        const id = await placedJob(harness(), queue, state);
        const others = JOB_STATUSES.filter((each) => each !== state);
        expect(await act(jobControl, queue, id, others)).to.deep.equal({ kind: 'refused', state });
        expect(await read(queues, queue, id)).to.include({ state });
        expect(await act(jobControl, queue, id, [state])).to.deep.equal({ kind: 'done' });
      }
    });
  }

  for (const name of ['remove', 'promote', 'retry', 'cancel'] as const) {
    // holds: actions.one-winner
    it(`lets one of two replicas ${name} a job at once`, async () => {
      const replicas = [harness(), await harness().replica()];
      const state = JOB_STATUSES.find((each) => statesFor(name).includes(each)) ?? 'waiting';
      for (let round = 0; round < ROUNDS; round += 1) {
        const queue = uniqueQueue();
        const id = await placedJob(harness(), queue, state);
        const outcomes = await Promise.all(
          replicas.map(({ jobControl }) => ACTIONS[name](jobControl, queue, id)),
        );
        const kinds = outcomes.map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind === 'done')).to.have.length(1);
        expect(kinds).to.include.oneOf(['refused', 'missing']);
      }
    });
  }
}
