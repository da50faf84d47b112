import { expect } from 'chai';
import type { FlowNode } from '../../../src/domain/flows/flow-node.ts';
import type { NewFlowJob } from '../../../src/domain/flows/flow.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { collected } from '../../support/collected.ts';
import { FAILED, process } from '../queue-steps.ts';
import { FlowSteps } from './flow-steps.ts';

const SHORT = 'x'.repeat(1022);
const LONG = 'x'.repeat(1023);

export function describeTreeNodes(harness: () => QueueHarness): void {
  describe('the jobs of a tree', () => {
    const nodesBelow = ({ queue, id }: NewFlowJob, most = 10_000): Promise<FlowNode[]> =>
      collected(harness().flows.childNodes(queue, id, most));

    // holds: flows.tree
    it('are shown as they are, with what they returned, and whether they have children', async () => {
      const steps = new FlowSteps(harness());
      const deep = { queue: steps.above, name: 'deep', data: 2 };
      const jobs = await steps.added([
        { onChildFailure: 'ignore', opts: { priority: 3 } },
        { children: [deep] },
        { opts: { priority: 1 } },
      ]);
      const [root, one, parent, , three] = jobs as [NewFlowJob, ...NewFlowJob[]];
      await steps.complete(steps.below, { part: 2 });
      await process(harness().attempts, steps.below, FAILED);
      const { timestamp = 0, ...shown } = (await harness().flows.node(root.queue, root.id))!;
      expect(shown).to.deep.equal({
        queue: root.queue,
        id: root.id,
        name: 'report',
        data: { all: true },
        opts: { attempts: 0, delay: 0 },
        state: 'waiting-children',
        returnvalue: null,
        isParent: true,
      });
      const nodes = await nodesBelow(root);
      expect(nodes.map(({ id }) => id)).to.deep.equal([one!.id, parent!.id, three!.id]);
      const [failed, waiting, completed] = nodes;
      expect(failed).to.deep.include({ name: 'part-0', data: 0, state: 'failed' });
      expect(failed).to.include({ failedReason: FAILED.reason, returnvalue: null });
      expect(failed?.opts).to.deep.include({ ignoreDependencyOnFailure: true });
      expect(waiting).to.include({ state: 'waiting-children', isParent: true });
      expect(completed).to.deep.include({ state: 'completed', returnvalue: { part: 2 } });
      expect(completed).to.include({ isParent: false });
      expect(waiting).to.include({ timestamp }).and.not.have.any.keys('processedOn', 'finishedOn');
      expect(failed?.processedOn).to.be.at.least(timestamp);
      expect(failed?.finishedOn).to.be.at.least(failed!.processedOn!);
      expect(await nodesBelow(root, 2)).to.deep.equal(nodes.slice(0, 2));
      expect(await nodesBelow(three!)).to.deep.equal([]);
    });

    it('are undefined, or none, where no job is', async () => {
      const { flows } = harness();
      const { above } = new FlowSteps(harness());
      expect(await flows.node(above, 'none')).to.equal(undefined);
      expect(await collected(flows.childNodes(above, 'none', 10))).to.deep.equal([]);
    });

    it('are known by their parent when they are gone', async () => {
      const steps = new FlowSteps(harness());
      const [root, child] = await steps.added([{ opts: { removeOnComplete: true } }, {}]);
      await steps.complete(steps.below, 7);
      const [gone] = await nodesBelow(root!);
      expect(gone).to.deep.equal({
        queue: steps.below,
        id: child!.id,
        name: null,
        state: 'completed',
        returnvalue: 7,
        isParent: false,
      });
    });

    // holds: flows.tree-values
    it('leave out what is longer than 1 kB', async () => {
      const steps = new FlowSteps(harness());
      const [root] = await steps.added([{ name: LONG, data: LONG }, { data: SHORT }], {
        data: LONG,
      });
      await steps.complete(steps.below, LONG);
      await steps.complete(steps.below, SHORT);
      const node = await harness().flows.node(root!.queue, root!.id);
      expect(node).to.include({ name: 'report' }).and.not.have.property('data');
      const [large, small] = await nodesBelow(root!);
      expect(large).to.include({ state: 'completed', name: LONG });
      expect(large).to.not.have.any.keys('data', 'returnvalue');
      expect(small).to.include({ data: SHORT, returnvalue: SHORT });
    });

    // holds: flows.tree-pieces
    it('and their children come in pieces that are not large together', async () => {
      const steps = new FlowSteps(harness());
      const sizes = [10, 200_000, 200_000, 400_000, 10, 10];
      const jobs = await steps.added(sizes.map(() => ({})));
      for (const size of sizes) await steps.complete(steps.below, 'x'.repeat(size));
      const pieces: string[][] = [];
      for await (const piece of harness().flows.children(jobs[0]!.queue, jobs[0]!.id)) {
        pieces.push(piece.map(({ id }) => id));
      }
      const ids = jobs.slice(1).map(({ id }) => id);
      expect(pieces).to.deep.equal([
        ids.slice(0, 2),
        ids.slice(2, 3),
        ids.slice(3, 4),
        ids.slice(4),
      ]);
      const children = await steps.children(jobs[0]!);
      expect(children.map(({ returnvalue }) => (returnvalue as string).length)).to.deep.equal(
        sizes,
      );
    });
  });
}
