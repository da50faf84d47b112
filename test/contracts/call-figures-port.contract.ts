import { expect } from 'chai';
import type { CallFiguresPort } from '../../src/application/ports/call-figures-port.ts';
import {
  CallCounter,
  joinedFigures,
  type CallFigures,
} from '../../src/domain/calls/call-figures.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, uniqueQueue } from './queue-steps.ts';

const MINUTE = 29_000_000;

function counted(calls: number, failure?: string): CallFigures {
  const counter = new CallCounter();
  for (let at = 1; at <= calls; at += 1) {
    counter.count({ at, duration: 10 * at, status: failure === undefined ? 200 : 500, failure });
  }
  return counter.figures;
}

async function readOf(
  port: CallFiguresPort,
  queue: QueueName,
  first: number,
  last: number,
): Promise<readonly CallFigures[]> {
  const [figures = []] = await port.readEach([queue], first, last);
  return figures;
}

/** What every CallFiguresPort promises. */
export function describeCallFiguresPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`CallFiguresPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    // holds: worker-health.replicas
    it('keeps what several replicas counted, for all of them', async () => {
      const { queues, callFigures } = harness;
      const other = (await harness.replica()).callFigures;
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const [one, two] = [counted(3), counted(2, 'it broke "here"')];
      await callFigures.save({ queue, minute: MINUTE, source: 'one', figures: one });
      await other.save({ queue, minute: MINUTE, source: 'two', figures: two });
      await other.save({ queue, minute: MINUTE + 1, source: 'two', figures: one });
      for (const port of [callFigures, other]) {
        const read = await readOf(port, queue, MINUTE, MINUTE + 1);
        expect(read).to.have.deep.members([one, two, one]);
        expect(joinedFigures(read)).to.include({ calls: 8, failures: 2 });
      }
    });

    it('puts what a source counted in place of what it gave before', async () => {
      const { queues, callFigures } = harness;
      const queue = uniqueQueue();
      await addOne(queues, queue);
      for (const figures of [counted(1), counted(5), counted(5)]) {
        await callFigures.save({ queue, minute: MINUTE, source: 'one', figures });
      }
      expect(await readOf(callFigures, queue, MINUTE, MINUTE)).to.deep.equal([counted(5)]);
    });

    it('reads the minutes asked for, and nothing of other queues', async () => {
      const { queues, callFigures } = harness;
      const queue = uniqueQueue();
      await addOne(queues, queue);
      for (const minute of [MINUTE, MINUTE + 1, MINUTE + 2, MINUTE + 3]) {
        const figures = counted(minute - MINUTE + 1);
        await callFigures.save({ queue, minute, source: 'one', figures });
      }
      const read = await readOf(callFigures, queue, MINUTE + 1, MINUTE + 2);
      expect(read).to.have.deep.members([counted(2), counted(3)]);
      expect(await readOf(callFigures, uniqueQueue(), MINUTE, MINUTE + 3)).to.deep.equal([]);
    });

    it('reads those of many queues, in their order', async () => {
      const { queues, callFigures } = harness;
      const [one, two] = [uniqueQueue(), uniqueQueue()];
      for (const [queue, calls] of [
        [one, 1],
        [two, 2],
      ] as const) {
        await addOne(queues, queue);
        const figures = counted(calls);
        await callFigures.save({ queue, minute: MINUTE, source: 'one', figures });
      }
      const others = Array.from({ length: 120 }, () => uniqueQueue());
      const read = await callFigures.readEach([two, ...others, one], MINUTE, MINUTE);
      expect(read).to.deep.equal([[counted(2)], ...others.map(() => []), [counted(1)]]);
      expect(await callFigures.readEach([], MINUTE, MINUTE)).to.deep.equal([]);
    });

    it('forgets minutes that do not count any more', async () => {
      const { queues, callFigures } = harness;
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const minute = { queue, source: 'one', figures: counted(1) };
      await callFigures.save({ ...minute, minute: MINUTE });
      await harness.advance(10 * 60_000);
      await callFigures.save({ ...minute, minute: MINUTE + 10 });
      expect(await readOf(callFigures, queue, MINUTE, MINUTE)).to.have.lengthOf(1);
      await harness.advance(3 * 60_000);
      await callFigures.save({ ...minute, minute: MINUTE + 13 });
      expect(await readOf(callFigures, queue, MINUTE, MINUTE)).to.deep.equal([]);
      expect(await readOf(callFigures, queue, MINUTE, MINUTE + 13)).to.have.lengthOf(2);
    });

    it('forgets them with their queue, and keeps none of a queue that is gone', async () => {
      const { queues, queueControl, callFigures } = harness;
      const queue = uniqueQueue();
      const minute = { queue, minute: MINUTE, source: 'one', figures: counted(1) };
      await addOne(queues, queue);
      await callFigures.save(minute);
      await queueControl.remove(queue, true);
      expect(await readOf(callFigures, queue, MINUTE, MINUTE)).to.deep.equal([]);
      await callFigures.save(minute);
      expect(await readOf(callFigures, queue, MINUTE, MINUTE)).to.deep.equal([]);
      await addOne(queues, queue);
      expect(await readOf(callFigures, queue, MINUTE, MINUTE)).to.deep.equal([]);
    });
  });
}
