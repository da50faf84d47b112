import { expect } from 'chai';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { workersInMemory } from '../../support/collections.ts';
import { JobActions } from '../../../src/application/jobs/job-actions.ts';
import type { JobControlPort } from '../../../src/application/ports/job-control-port.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import type { SignalScope } from '../../../src/application/ports/replica-signals-port.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { rejection } from '../../support/rejection.ts';
import { failingAfter } from '../failing-control.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addOne, COMPLETED, countsOf, NO_JOBS, take } from '../queue-steps.ts';
import { FlowSteps } from './flow-steps.ts';
import { unobserved } from '../../support/unobserved.ts';

const WITH_CHILDREN = { reason: 'Too late', children: true };

export function describeFamilyCancelling(harness: () => QueueHarness): void {
  describe('cancelling a parent', () => {
    let steps: FlowSteps;
    let heard: SignalScope[];
    let actions: JobActions;
    let signals: MemorySignals;

    const actionsBy = (control: JobControlPort): JobActions => {
      const { queues, flows } = harness();
      return new JobActions({
        control,
        queues,
        workers: workersInMemory(),
        policies: noPolicies,
        signals,
        observer: unobserved,
        flows,
        clock: new SystemClock(),
      });
    };

    beforeEach(() => {
      steps = new FlowSteps(harness());
      signals = new MemorySignals();
      heard = [];
      signals.listen('cancelled', (scope) => heard.push(scope));
      actions = actionsBy(harness().jobControl);
    });

    // holds: flows.cancel
    it('leaves its children alone unless it is asked to take them along', async () => {
      const jobs = await steps.added([{}, { opts: { delay: 60_000 } }]);
      await actions.cancel(steps.above, jobs[0]!.id, {});
      expect(await steps.statesOf(jobs)).to.deep.equal(['failed', 'waiting', 'delayed']);
      await steps.complete();
      expect(await steps.stateOf(jobs[0]!)).to.equal('failed');
      expect(await countsOf(harness().queues, steps.above)).to.deep.equal({
        ...NO_JOBS,
        failed: 1,
      });
    });

    for (const onChildFailure of ['wait', 'fail', 'continue', 'ignore'] as const) {
      // holds: flows.cancel-children
      it(`takes along all that has not ended below it: ${onChildFailure}`, async () => {
        const { above, below } = steps;
        const deep = { queue: above, name: 'deep', data: 1, onChildFailure };
        const jobs = await steps.added([
          { onChildFailure },
          { onChildFailure, opts: { delay: 60_000 } },
          { onChildFailure, children: [deep, { ...deep, opts: { priority: 2 } }] },
          { onChildFailure },
        ]);
        await steps.complete(below);
        const running = await take(harness().attempts, below);
        await actions.cancel(above, jobs[0]!.id, WITH_CHILDREN);
        expect(await steps.statesOf(jobs)).to.deep.equal([
          ...['failed', 'completed', 'failed', 'failed', 'failed', 'failed', 'failed'],
        ]);
        const reasons = await Promise.all(
          jobs.map(async ({ queue, id }) => (await harness().queues.find(queue, id))?.failedReason),
        );
        expect(new Set(reasons)).to.deep.equal(new Set(['Too late', undefined]));
        expect((await harness().attempts.settle(below, running, COMPLETED)).held).to.equal(false);
        expect(heard.map(({ queue }) => queue)).to.include.members([above, below]);
        for (const queue of [above, below]) expect(await steps.isIdle(queue)).to.equal(true);
        expect(await countsOf(harness().queues, above)).to.deep.equal({ ...NO_JOBS, failed: 3 });
        expect(await countsOf(harness().queues, below)).to.deep.equal({
          ...NO_JOBS,
          failed: 3,
          completed: 1,
        });
      });
    }

    // holds: flows.cancel-children
    it('goes on where it was cut off when it is repeated, and is refused once all have ended', async () => {
      const jobs = await steps.added([
        {},
        { children: [{ queue: steps.above, name: 'deep', data: 1 }] },
      ]);
      await actions.cancel(steps.above, jobs[0]!.id, {});
      await actions.cancel(steps.above, jobs[0]!.id, WITH_CHILDREN);
      expect(await steps.statesOf(jobs)).to.deep.equal(['failed', 'failed', 'failed', 'failed']);
      const again = await rejection(actions.cancel(steps.above, jobs[0]!.id, WITH_CHILDREN));
      expect(again).to.include({ code: 'job-conflict', message: 'Job is failed' });
      const unknown = await rejection(actions.cancel(steps.above, 'nobody', WITH_CHILDREN));
      expect(unknown).to.include({ code: 'job-not-found' });
    });

    for (const [made, mayBeStored] of [
      [0, false],
      [1, true],
    ] as const) {
      // holds: store.not-stored
      it(`says whether jobs may be cancelled when the store fails: after ${made}`, async () => {
        const jobs = await steps.added([{}, {}]);
        const error = storeUnavailable(new Error('gone'));
        const failing = actionsBy(failingAfter(made, error, harness().jobControl));
        const failed = await rejection(failing.cancel(steps.above, jobs[0]!.id, WITH_CHILDREN));
        expect(failed).to.include({ code: 'store-unavailable', mayBeStored });
        await actions.cancel(steps.above, jobs[0]!.id, WITH_CHILDREN);
        expect(await steps.statesOf(jobs)).to.deep.equal(['failed', 'failed', 'failed']);
      });
    }

    // holds: flows.cancel-children
    it('ends those also whose record does not stay', async () => {
      const opts = { removeOnFail: true };
      const jobs = await steps.added(
        [{ opts, children: [{ queue: steps.above, name: 'deep', data: 1, opts }] }],
        { opts },
      );
      await actions.cancel(steps.above, jobs[0]!.id, WITH_CHILDREN);
      expect(await steps.statesOf(jobs)).to.deep.equal([undefined, undefined, undefined]);
    });

    it('is the same for a job without children', async () => {
      const { id } = await addOne(harness().queues, steps.above);
      await actions.cancel(steps.above, id, WITH_CHILDREN);
      expect(await harness().queues.find(steps.above, id)).to.include({ failedReason: 'Too late' });
    });

    // holds: flows.cancel-retry
    it('lets it wait for them again when it is retried by hand', async () => {
      const jobs = await steps.added([{}, { onChildFailure: 'ignore' }, {}]);
      await steps.complete();
      await steps.fail();
      await actions.cancel(steps.above, jobs[0]!.id, {});
      await actions.retry(steps.above, jobs[0]!.id, {});
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting-children');
      expect(await steps.isIdle()).to.equal(true);
      await steps.complete();
      const { children } = await take(harness().attempts, steps.above);
      expect(children?.map(({ state }) => state)).to.deep.equal([
        ...['completed', 'failed', 'completed'],
      ]);
    });

    // holds: flows.cancel-retry
    it('lets it start anew at once when they have ended meanwhile', async () => {
      const jobs = await steps.added([{}, {}]);
      await actions.cancel(steps.above, jobs[0]!.id, {});
      await steps.complete();
      await steps.complete();
      await actions.retry(steps.above, jobs[0]!.id, { opts: { priority: 4 } });
      expect(await steps.stateOf(jobs[0]!)).to.equal('prioritized');
      const { children } = await take(harness().attempts, steps.above);
      expect(children?.map(({ state }) => state)).to.deep.equal(['completed', 'completed']);
    });
  });
}
