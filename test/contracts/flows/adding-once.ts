import { expect } from 'chai';
import type { FlowOnce } from '../../../src/application/ports/flow-port.ts';
import type { FlowInput, NewFlowJob } from '../../../src/domain/flows/flow.ts';
import { REMEMBERED_FOR, type AddIdentity } from '../../../src/domain/jobs/add-identity.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addOne, countsOf, NO_JOBS } from '../queue-steps.ts';
import { FlowSteps, unbounded } from './flow-steps.ts';

const FIRST: AddIdentity = { key: 'key-1', body: 'body-1' };
const OTHER_BODY: AddIdentity = { ...FIRST, body: 'body-2' };

export function describeAddingFlowsOnce(harness: () => QueueHarness): void {
  describe('adding a flow once', () => {
    let steps: FlowSteps;

    beforeEach(() => {
      steps = new FlowSteps(harness());
    });

    /** A flow with this many children. */
    const flow = (size: number, root?: Partial<FlowInput>) =>
      steps.flow(
        Array.from({ length: size }, () => ({})),
        root,
      );

    const onceOf = (jobs: readonly NewFlowJob[], identity: AddIdentity = FIRST): FlowOnce => ({
      identity,
      origin: { id: jobs[0]?.id ?? '', defaults: [[steps.above, { attempts: 3 }]], carrier: 't' },
    });

    const add = (
      jobs: readonly NewFlowJob[],
      identity?: AddIdentity,
      { flows }: Pick<QueueHarness, 'flows'> = harness(),
    ) => flows.add(jobs, unbounded, unbounded, onceOf(jobs, identity));

    const waiting = async () => (await countsOf(harness().queues, steps.below))['waiting'];

    for (const size of [2, 1500]) {
      // holds: idempotency.flows, idempotency.other-body
      it(`adds a flow of ${size} children the first time, and then recalls its origin`, async () => {
        const jobs = flow(size);
        expect(await harness().flows.recall(steps.above, FIRST)).to.equal(undefined);
        expect(await add(jobs)).to.deep.equal({ kind: 'added' });
        const replica = await harness().replica();
        const repeated = { kind: 'repeated', origin: onceOf(jobs).origin };
        expect(await add(flow(size), FIRST, replica)).to.deep.equal(repeated);
        expect(await replica.flows.recall(steps.above, FIRST)).to.deep.equal(repeated);
        expect(await add(flow(size), OTHER_BODY)).to.deep.equal({ kind: 'other' });
        const recalled = await harness().flows.recall(steps.above, OTHER_BODY);
        expect(recalled).to.deep.equal({ kind: 'other' });
        expect(await waiting()).to.equal(size);
        expect(await add(flow(1), { ...FIRST, key: 'key-2' })).to.deep.equal({ kind: 'added' });
      });

      // holds: idempotency.only-success
      it(`remembers no refused flow of ${size} children`, async () => {
        const { flows, queues } = harness();
        await addOne(queues, steps.above, { jobId: 'mine' });
        const taken = flow(size, { opts: { jobId: 'mine' } });
        expect(await add(taken)).to.deep.equal({ kind: 'exists', position: 0 });
        const full = await flows.add(flow(size), () => 1, unbounded, onceOf(taken)).catch(String);
        expect(full).to.include('queue');
        expect(await countsOf(queues, steps.below)).to.deep.equal(NO_JOBS);
        expect(await add(flow(size))).to.deep.equal({ kind: 'added' });
      });

      // holds: idempotency.once, idempotency.in-progress
      it(`adds a flow of ${size} children once when three replicas are asked at once`, async () => {
        const replicas = [harness(), await harness().replica(), await harness().replica()];
        const outcomes = await Promise.all(
          [...replicas, ...replicas].map((replica) => add(flow(size), FIRST, replica)),
        );
        const kinds = outcomes.map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind === 'added')).to.have.length(1);
        expect(new Set(kinds)).not.to.include('other');
        expect(await waiting()).to.equal(size);
      });
    }

    // holds: idempotency.time
    it('forgets a flow after 24 hours, and not before', async () => {
      await add(flow(1));
      await harness().advance(REMEMBERED_FOR - 60_000);
      expect((await add(flow(1))).kind).to.equal('repeated');
      await harness().advance(60_000);
      expect((await add(flow(1))).kind).to.equal('added');
    });
  });
}
