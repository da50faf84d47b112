import { expect } from 'chai';
import type { Claim } from '../../src/domain/attempts/claim.ts';
import type { FlowInput, NewFlowJob } from '../../src/domain/flows/flow.ts';
import type { Json } from '../../src/domain/values/json.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { collected } from '../support/collected.ts';
import { rejection } from '../support/rejection.ts';
import { describeAddingFlowsOnce } from './flows/adding-once.ts';
import { describeFamilyCancelling } from './flows/cancelling.ts';
import { FlowSteps, unbounded } from './flows/flow-steps.ts';
import { describeGoingFamilies } from './flows/going.ts';
import { describeTreeNodes } from './flows/nodes.ts';
import { describeFamilyRetries } from './flows/retrying.ts';
import { describeReturnedValues } from './flows/returning.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  listPage,
  NO_JOBS,
  SHORTLY,
  SOON,
  take,
} from './queue-steps.ts';
import { isVolumePlayedOn } from './played-on.ts';

/** What every FlowPort promises, together with the ports that process and change the jobs. */
export function describeFlowPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`FlowPort: ${name}`, () => {
    let harness: QueueHarness;
    let steps: FlowSteps;
    let above: QueueName;
    let below: QueueName;

    before(async () => {
      harness = await createHarness();
    });
    beforeEach(() => {
      steps = new FlowSteps(harness);
      ({ above, below } = steps);
    });
    after(() => harness.dispose());

    const flow = (...args: Parameters<FlowSteps['flow']>) => steps.flow(...args);
    const add = (jobs: readonly NewFlowJob[]) => steps.add(jobs);
    const stateOf = (job: Pick<NewFlowJob, 'queue' | 'id'>) => steps.stateOf(job);
    const complete = (queue: QueueName, returnvalue?: Json) => steps.complete(queue, returnvalue);
    const fail = (queue: QueueName) => steps.fail(queue);

    describeAddingFlowsOnce(() => harness);
    describeFamilyCancelling(() => harness);
    describeFamilyRetries(() => harness);
    describeGoingFamilies(() => harness);
    describeTreeNodes(() => harness);
    describeReturnedValues(() => harness);

    describe('an add', () => {
      // holds: groups.room
      it('is not stored when the group of a child has no room', async () => {
        const group = { opts: { group: { id: 'a' } } };
        const jobs = flow([{ opts: { group: { id: 'b' }, delay: 60_000 } }, group, group]);
        await harness.groups.saveSettings(below, 'a', { maxWaiting: 1 });
        const full = { kind: 'group-full', position: 3, waiting: 1 };
        const most = (queue: QueueName) => (queue === below ? 5 : undefined);
        expect(await harness.flows.add(jobs, unbounded, most)).to.deep.equal(full);
        expect(await countsOf(harness.queues, below)).to.deep.equal(NO_JOBS);
        await harness.groups.removeSettings(below, 'a');
        expect(await harness.flows.add(jobs, unbounded, most)).to.deep.equal({ kind: 'added' });
      });

      // holds: flows.waits
      it('lets the parent wait and its children start, in their queues', async () => {
        const jobs = flow([{}, { opts: { delay: 60_000 } }, { opts: { priority: 3 } }]);
        await add(jobs);
        const states = await Promise.all(jobs.map(stateOf));
        expect(states).to.deep.equal(['waiting-children', 'waiting', 'delayed', 'prioritized']);
        expect(await countsOf(harness.queues, above)).to.deep.equal({
          ...NO_JOBS,
          'waiting-children': 1,
        });
        const { jobs: parents } = await listPage(harness.queues, above, {
          statuses: ['waiting-children'],
          start: 0,
          length: 10,
        });
        expect(parents.map(({ id, state }) => [id, state])).to.deep.equal([
          [jobs[0]!.id, 'waiting-children'],
        ]);
        expect((await harness.attempts.claim(above, claimOf(ANY))).kind).to.equal('idle');
        const parent = await harness.queues.find(above, jobs[0]!.id);
        expect(parent).to.deep.include({ name: 'report', data: { all: true }, attemptsMade: 0 });
      });

      // holds: flows.all-or-nothing
      it('stores nothing when one of the ids exists', async () => {
        await addOne(harness.queues, below, { jobId: 'mine' });
        const jobs = flow([{}, { opts: { jobId: 'mine' } }]);
        const outcome = await harness.flows.add(jobs, unbounded);
        expect(outcome).to.deep.equal({ kind: 'exists', position: 2 });
        expect(await stateOf(jobs[0]!)).to.equal(undefined);
        expect(await stateOf(jobs[1]!)).to.equal(undefined);
      });

      // holds: flows.all-or-nothing
      it('stores nothing when too many jobs would wait in one of the queues', async () => {
        const jobs = flow([{}, {}]);
        const error = await rejection(
          harness.flows.add(jobs, (queue) => (queue === below ? 1 : undefined)),
        );
        expect(error).to.include({ code: 'queue-full' });
        expect(await stateOf(jobs[0]!)).to.equal(undefined);
        expect(await harness.flows.add(jobs, (queue) => (queue === below ? 2 : 0))).to.deep.equal({
          kind: 'added',
        });
      });
    });

    describe('a large flow', () => {
      const MANY = 1200;

      function largeFlow(last: Partial<FlowInput> = {}) {
        const children = Array.from({ length: MANY }, (_, index): Partial<FlowInput> => {
          if (index % 100 === 7) return { children: [{ queue: above, name: 'leaf', data: index }] };
          return { opts: index % 3 === 0 ? { group: { id: `group-${index}` } } : {} };
        });
        return flow([...children, last]);
      }

      // holds: flows.all-or-nothing, adding.large
      it('waits, starts and ends as a small one', async () => {
        const jobs = largeFlow({ opts: { delay: 1000 }, onChildFailure: 'ignore' });
        expect(await harness.flows.add(jobs, unbounded)).to.deep.equal({ kind: 'added' });
        const children = await collected(harness.flows.children(above, jobs[0]!.id));
        expect(children.flat().map(({ name }) => name)).to.deep.equal(
          Array.from({ length: MANY + 1 }, (_, index) => `part-${index}`),
        );
        expect(await countsOf(harness.queues, below)).to.include({
          waiting: MANY - 12,
          delayed: 1,
        });
        expect(await countsOf(harness.queues, above)).to.include({ waiting: 12 });
        await complete(above);
        expect(await countsOf(harness.queues, below)).to.include({ waiting: MANY - 11 });
      });

      // holds: flows.all-or-nothing, adding.large
      it('is not stored when an id exists or there is no room', async () => {
        await addOne(harness.queues, below, { jobId: 'mine' });
        const taken = largeFlow({ opts: { jobId: 'mine' } });
        expect(await harness.flows.add(taken, unbounded)).to.deep.equal({
          kind: 'exists',
          position: taken.length - 1,
        });
        const jobs = largeFlow();
        const error = await rejection(
          harness.flows.add(jobs, (queue) => (queue === below ? MANY - 11 : undefined)),
        );
        expect(error).to.include({ code: 'queue-full' });
        expect(await countsOf(harness.queues, below)).to.include({ waiting: 1 });
        expect(await countsOf(harness.queues, above)).to.include({ waiting: 0 });
      });
    });

    describe('a parent', () => {
      // holds: flows.starts, flows.children
      it('starts when its last child completed, and gets all of their results in order', async () => {
        const jobs = flow([{}, {}, {}]);
        const parent = await add(jobs);
        await complete(below, { part: 0 });
        await complete(below, 'one');
        expect(await stateOf(parent)).to.equal('waiting-children');
        await complete(below);
        const attempt = await take(harness.attempts, above);
        const children = [{ part: 0 }, 'one', null].map((returnvalue, index) => ({
          queue: below,
          id: jobs[index + 1]!.id,
          name: `part-${index}`,
          state: 'completed',
          returnvalue,
        }));
        expect(attempt.children).to.deep.equal(children);
        expect(await steps.children(parent)).to.deep.equal(children);
        await harness.attempts.settle(above, attempt, COMPLETED);
        expect(await stateOf(parent)).to.equal('completed');
      });

      // holds: flows.children
      it('gets the results of its children again after an answer that was lost', async () => {
        await add(flow([{}]));
        await complete(below, 7);
        const request = claimOf(ANY);
        await harness.attempts.claim(above, request);
        const claim = await harness.attempts.claim(above, { ...request, isRepeated: true });
        if (claim.kind !== 'attempt') throw new Error('No job to take');
        expect(claim.attempt.children?.[0]).to.include({ returnvalue: 7 });
      });

      // holds: flows.children
      it('gets the results of as many children as fit in 1 MB', async () => {
        const parent = await add(flow([{}, {}, {}]));
        for (let n = 0; n < 3; n += 1) await complete(below, 'x'.repeat(400_000));
        const { children } = await take(harness.attempts, above);
        expect(children).to.have.lengthOf(2);
        expect(await steps.children(parent)).to.have.lengthOf(3);
      });

      // holds: flows.starts
      it('waits for a child that completes in the same queue and step', async () => {
        const parent = await add(flow([{ queue: above }]));
        const attempt = await take(harness.attempts, above);
        const settled = await harness.attempts.settle(above, attempt, COMPLETED, claimOf(ANY));
        const next = settled.next ?? (await harness.attempts.claim(above, claimOf(ANY)));
        expect(next).to.have.nested.property('attempt.jobId', parent.id);
        expect(next).to.have.nested.property('attempt.children').with.lengthOf(1);
      });

      // holds: flows.starts
      it('goes where its options say when it starts', async () => {
        const delayed = await add(flow([{}], { opts: { delay: 60_000 } }));
        const prioritized = await add(flow([{}], { opts: { priority: 2 } }));
        await complete(below);
        await complete(below);
        expect(await stateOf(delayed)).to.equal('delayed');
        expect(await stateOf(prioritized)).to.equal('prioritized');
      });

      // holds: flows.starts
      it('of a parent is a child as any other', async () => {
        const jobs = flow([{ children: [{ queue: below, name: 'deep', data: 1 }] }]);
        await add(jobs);
        const states = await Promise.all(jobs.map(stateOf));
        expect(states).to.deep.equal(['waiting-children', 'waiting-children', 'waiting']);
        await complete(below);
        await complete(below);
        expect((await take(harness.attempts, above)).children).to.have.lengthOf(1);
      });

      if (isVolumePlayedOn(name)) {
        // holds: flows.starts-once
        it('starts once when 1000 children end at the same time on three replicas', async () => {
          const [many, pad] = [1000, 'x'.repeat(2000)];
          const parent = await add(flow(Array.from({ length: many }, () => ({}))));
          const replicas = [harness, await harness.replica(), await harness.replica()];
          const active = await Promise.all(
            Array.from({ length: many }, (_, index) => take(replicas[index % 3]!.attempts, below)),
          );
          const claims: Promise<Claim>[] = [];
          const endings = active.map(async (attempt, index) => {
            const { attempts } = replicas[(index + 1) % 3]!;
            const ending = { kind: 'completed', returnvalue: pad + attempt.jobId } as const;
            expect((await attempts.settle(below, attempt, ending)).held).to.equal(true);
            if (index % 10 === 0) claims.push(attempts.claim(above, claimOf(ANY)));
          });
          await Promise.all(endings);
          claims.push(...replicas.map(({ attempts }) => attempts.claim(above, claimOf(ANY))));
          const taken = (await Promise.all(claims)).filter((claim) => claim.kind === 'attempt');
          expect(taken.map(({ attempt }) => attempt.jobId)).to.deep.equal([parent.id]);
          const { children = [] } = taken[0]!.attempt;
          // As many as fit in 1 MB; the others come in pages.
          expect(children.length).to.be.within(400, 520);
          expect(Buffer.byteLength(JSON.stringify(children))).to.be.below(1024 * 1024);
          const rest = { start: children.length, length: many };
          const all = [
            ...children,
            ...(await collected(harness.flows.children(above, parent.id, rest))),
          ];
          expect(all.map(({ id }) => id)).to.deep.equal(
            Array.from({ length: many }, (_, index) => `${parent.id}-${index + 1}`),
          );
          expect(all.every(({ id, returnvalue }) => returnvalue === pad + id)).to.equal(true);
          expect((await harness.queues.find(above, parent.id))?.attemptsStarted).to.equal(1);
        });
      }

      // holds: flows.retention
      it('keeps what its children returned when they do not stay', async () => {
        const parent = await add(flow([{ opts: { removeOnComplete: true } }]));
        await complete(below, 5);
        const { children } = await take(harness.attempts, above);
        expect(children?.[0]).to.include({ state: 'completed', returnvalue: 5 });
        expect(await steps.children(parent)).to.have.lengthOf(1);
      });
    });

    describe('the failure of a child', () => {
      // holds: flows.wait
      it('lets its parent wait, until it is retried and completes', async () => {
        const jobs = flow([{}]);
        const parent = await add(jobs);
        await fail(below);
        expect(await stateOf(parent)).to.equal('waiting-children');
        const [child] = await steps.children(parent);
        expect(child).to.include({ state: 'failed', returnvalue: null });
        await harness.jobControl.retry(below, jobs[1]!.id, {});
        await complete(below, 'at last');
        const { children } = await take(harness.attempts, above);
        expect(children?.[0]).to.include({ state: 'completed', returnvalue: 'at last' });
      });

      // holds: flows.fail
      it('fails its parent, which is not called', async () => {
        const jobs = flow([{ onChildFailure: 'fail' }, {}]);
        const parent = await add(jobs);
        await fail(below);
        const { mustFail, children } = await take(harness.attempts, above);
        expect(mustFail).to.equal(`child ${harness.prefix}:${below}:${jobs[1]!.id} failed`);
        expect(children).to.equal(undefined);
        expect(await stateOf(parent)).to.equal('active');
      });

      // holds: flows.fail
      it('leaves a parent that it failed to be retried', async () => {
        const parent = await add(flow([{ onChildFailure: 'fail' }]));
        await fail(below);
        await fail(above);
        expect(await stateOf(parent)).to.equal('failed');
        await harness.jobControl.retry(above, parent.id, {});
        const attempt = await take(harness.attempts, above);
        expect(attempt.mustFail).to.equal(undefined);
        expect(attempt.children?.[0]).to.include({ state: 'failed' });
        await harness.attempts.settle(above, attempt, COMPLETED);
        expect(await stateOf(parent)).to.equal('completed');
      });

      // holds: flows.fail
      it('fails a parent that is delayed ahead of the jobs that wait', async () => {
        const [parent, failing] = await steps.added([
          { onChildFailure: 'fail', opts: { priority: 1 } },
          { onChildFailure: 'continue' },
        ]);
        await fail(below);
        const retry = { kind: 'retry', reason: 'no', delay: 60_000 } as const;
        await harness.attempts.settle(above, await take(harness.attempts, above), retry);
        await addOne(harness.queues, above);
        expect(await stateOf(parent!)).to.equal('delayed');
        await fail(below);
        const { jobId, mustFail } = await take(harness.attempts, above);
        expect(jobId).to.equal(parent!.id);
        expect(mustFail).to.equal(`child ${harness.prefix}:${below}:${failing!.id} failed`);
      });

      // holds: flows.continue
      it('lets its parent start at once and complete, whatever else it waits for', async () => {
        const parent = await add(flow([{ onChildFailure: 'continue' }, {}]));
        await fail(below);
        const attempt = await take(harness.attempts, above);
        expect(attempt.mustFail).to.equal(undefined);
        expect(attempt.children?.map(({ state }) => state)).to.deep.equal(['failed', 'waiting']);
        await harness.attempts.settle(above, attempt, COMPLETED);
        expect(await stateOf(parent)).to.equal('completed');
        await complete(below);
        expect(await stateOf(parent)).to.equal('completed');
      });

      // holds: flows.ignore
      it('is passed over', async () => {
        const parent = await add(flow([{ onChildFailure: 'ignore' }, {}]));
        await fail(below);
        expect(await stateOf(parent)).to.equal('waiting-children');
        await complete(below, 1);
        const { children } = await take(harness.attempts, above);
        expect(children?.map(({ state }) => state)).to.deep.equal(['failed', 'completed']);
      });

      // holds: flows.fail
      it('is that of a job that was cancelled, too', async () => {
        const jobs = flow([{ onChildFailure: 'ignore' }]);
        const parent = await add(jobs);
        await harness.jobControl.cancel(below, jobs[1]!.id, { reason: 'Cancelled' });
        expect(await stateOf(parent)).to.equal('waiting');
      });
    });

    describe('what operators do', () => {
      // holds: flows.remove
      it('removes a parent with its children', async () => {
        const jobs = flow([{}, { children: [{ queue: above, name: 'deep', data: 1 }] }]);
        const parent = await add(jobs);
        expect(await harness.jobControl.remove(above, parent.id)).to.deep.equal({ kind: 'done' });
        const states = await Promise.all(jobs.map(stateOf));
        expect(states).to.deep.equal([undefined, undefined, undefined, undefined]);
        for (const queue of [above, below]) {
          expect(await countsOf(harness.queues, queue)).to.deep.equal(NO_JOBS);
        }
      });

      // holds: flows.remove
      it('removes no parent while a child is active', async () => {
        const jobs = flow([{}]);
        const parent = await add(jobs);
        await take(harness.attempts, below);
        const outcome = await harness.jobControl.remove(above, parent.id);
        expect(outcome).to.deep.equal({ kind: 'needed', by: 'attempt' });
        expect(await stateOf(parent)).to.equal('waiting-children');
      });

      // holds: flows.remove
      it('removes no parent while a child is active that lost its lock', async () => {
        const parent = await add(flow([{}]));
        await take(harness.attempts, below, SHORTLY);
        await harness.advance(SOON);
        const outcome = await harness.jobControl.remove(above, parent.id);
        expect(outcome).to.deep.equal({ kind: 'needed', by: 'attempt' });
      });

      // holds: flows.remove
      it('lets a parent start when the last child that it waits for is removed', async () => {
        const jobs = flow([{}, {}]);
        const parent = await add(jobs);
        await complete(below);
        await harness.jobControl.remove(below, jobs[2]!.id);
        expect(await stateOf(parent)).to.equal('waiting');
      });
    });

    it('claims a parent without children when all of them were removed', async () => {
      const jobs = flow([{}]);
      await add(jobs);
      await harness.jobControl.remove(below, jobs[1]!.id);
      const attempt = await take(harness.attempts, above);
      expect(attempt).to.include({ jobId: jobs[0]!.id }).and.not.to.have.property('children');
    });

    it('has no children of a job without any, or that is not there', async () => {
      const { id } = await addOne(harness.queues, above, { jobId: 'alone' });
      expect(await steps.children({ queue: above, id })).to.deep.equal([]);
      expect(await steps.children({ queue: above, id: 'nobody' })).to.deep.equal([]);
      expect((await take(harness.attempts, above)).children).to.equal(undefined);
    });
  });
}
