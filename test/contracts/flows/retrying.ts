import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import { COMPLETED, FAILED, take } from '../queue-steps.ts';
import { FlowSteps } from './flow-steps.ts';

export function describeFamilyRetries(harness: () => QueueHarness): void {
  describe('a retry of a child by hand', () => {
    let steps: FlowSteps;

    beforeEach(() => {
      steps = new FlowSteps(harness());
    });

    const retry = async ({
      queue,
      id,
    }: {
      queue: typeof steps.above;
      id: string;
    }): Promise<void> => {
      const outcome = await harness().jobControl.retry(queue, id, {});
      expect(outcome).to.deep.equal({ kind: 'done' });
    };

    // holds: flows.wait, flows.retry
    it('lets its parent go on once it completes: wait', async () => {
      const jobs = await steps.added([{}, {}]);
      await steps.fail();
      await steps.complete();
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting-children');
      await retry(jobs[1]!);
      await steps.complete(steps.below, 'at last');
      const { children } = await take(harness().attempts, steps.above);
      expect(children?.map(({ returnvalue }) => returnvalue)).to.deep.equal(['at last', null]);
    });

    // holds: flows.retry
    it('makes a waiting parent wait for the retried child again: ignore', async () => {
      const jobs = await steps.added([{ onChildFailure: 'ignore' }, {}]);
      await steps.fail();
      await retry(jobs[1]!);
      await steps.complete();
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting-children');
      await steps.complete(steps.below, 'at last');
      const { children } = await take(harness().attempts, steps.above);
      expect(children?.map(({ state }) => state)).to.deep.equal(['completed', 'completed']);
    });

    // holds: flows.retry
    it('makes a waiting parent wait for the retried child again: a child that completed', async () => {
      const jobs = await steps.added([{}, {}]);
      await steps.complete(steps.below, 1);
      await retry(jobs[1]!);
      await steps.complete();
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting-children');
      await steps.complete(steps.below, 2);
      const { children } = await take(harness().attempts, steps.above);
      expect(children?.map(({ returnvalue }) => returnvalue)).to.deep.equal([2, null]);
    });

    // holds: flows.retry
    it('holds up no parent that runs already: continue', async () => {
      const jobs = await steps.added([{ onChildFailure: 'continue' }, {}]);
      await steps.fail();
      const attempt = await take(harness().attempts, steps.above);
      await retry(jobs[1]!);
      expect((await harness().attempts.settle(steps.above, attempt, COMPLETED)).held).to.equal(
        true,
      );
      expect(await steps.stateOf(jobs[0]!)).to.equal('completed');
      await steps.complete();
      await steps.complete();
      expect(await steps.stateOf(jobs[0]!)).to.equal('completed');
    });

    // holds: flows.retry
    it('holds up no parent that runs already: a child that completed', async () => {
      const jobs = await steps.added([{}]);
      await steps.complete();
      const attempt = await take(harness().attempts, steps.above);
      await retry(jobs[1]!);
      expect((await harness().attempts.settle(steps.above, attempt, COMPLETED)).held).to.equal(
        true,
      );
      expect(await steps.stateOf(jobs[0]!)).to.equal('completed');
    });

    // holds: flows.continue, flows.fail
    it('is not needed by a parent that runs when another child would fail it', async () => {
      const jobs = await steps.added([{ onChildFailure: 'continue' }, { onChildFailure: 'fail' }]);
      await steps.fail();
      const attempt = await take(harness().attempts, steps.above);
      await steps.fail();
      const { held } = await harness().attempts.settle(steps.above, attempt, COMPLETED);
      expect(held).to.equal(true);
      expect(await steps.stateOf(jobs[0]!)).to.equal('completed');
      await retry(jobs[0]!);
      expect((await take(harness().attempts, steps.above)).mustFail).to.equal(undefined);
    });

    // holds: flows.continue, flows.retry
    it('is not needed by a retried parent that goes on without a child which is gone', async () => {
      const removed = { onChildFailure: 'continue', opts: { removeOnFail: true } } as const;
      const jobs = await steps.added([removed, {}]);
      await steps.fail();
      await steps.fail(steps.above);
      await retry(jobs[0]!);
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting');
    });

    // holds: flows.fail, flows.retry
    it('lets a parent that it failed run once both are retried, whichever goes first', async () => {
      for (const isChildFirst of [true, false]) {
        const jobs = await steps.added([{ onChildFailure: 'fail' }]);
        await steps.fail();
        await steps.fail(steps.above);
        const [parent, child] = jobs;
        if (isChildFirst) await retry(child!);
        await retry(parent!);
        if (isChildFirst) {
          expect(await steps.stateOf(parent!)).to.equal('waiting-children');
          await steps.complete();
        } else await retry(child!);
        const attempt = await take(harness().attempts, steps.above);
        expect(attempt.mustFail).to.equal(undefined);
        await harness().attempts.settle(steps.above, attempt, COMPLETED);
        if (!isChildFirst) await steps.complete();
        expect(await steps.statesOf(jobs)).to.deep.equal(['completed', 'completed']);
      }
    });

    // holds: flows.retry
    it('lets it fail again, and its parent with it', async () => {
      const jobs = await steps.added([{ onChildFailure: 'fail' }]);
      await steps.fail();
      await steps.fail(steps.above);
      await retry(jobs[1]!);
      await retry(jobs[0]!);
      await steps.fail();
      const attempt = await take(harness().attempts, steps.above);
      expect(attempt.mustFail).to.match(/ failed$/);
      await harness().attempts.settle(steps.above, attempt, FAILED);
      expect(await steps.statesOf(jobs)).to.deep.equal(['failed', 'failed']);
    });
  });

  describe('a retry of a parent by hand', () => {
    let steps: FlowSteps;

    beforeEach(() => {
      steps = new FlowSteps(harness());
    });

    // holds: flows.continue, flows.retry
    it('starts it at once when it went on without all of its children', async () => {
      const jobs = await steps.added([{ onChildFailure: 'continue' }, {}]);
      await steps.fail();
      await steps.fail(steps.above);
      await harness().jobControl.retry(steps.above, jobs[0]!.id, {});
      const attempt = await take(harness().attempts, steps.above);
      expect(attempt.children?.map(({ state }) => state)).to.deep.equal(['failed', 'waiting']);
      expect((await harness().attempts.settle(steps.above, attempt, COMPLETED)).held).to.equal(
        true,
      );
    });

    // holds: flows.retry
    it('waits for the other children when one of them failed it', async () => {
      const jobs = await steps.added([{ onChildFailure: 'fail' }, {}]);
      await steps.fail();
      await steps.fail(steps.above);
      await harness().jobControl.retry(steps.above, jobs[0]!.id, {});
      expect(await steps.stateOf(jobs[0]!)).to.equal('waiting-children');
      await steps.complete();
      const attempt = await take(harness().attempts, steps.above);
      expect(attempt.mustFail).to.equal(undefined);
      expect(attempt.children?.map(({ state }) => state)).to.deep.equal(['failed', 'completed']);
    });
  });
}
