import { expect } from 'chai';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { queueNamed } from '../support/queue-named.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import {
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  HOUR,
  jobOf,
  NO_JOBS,
  process,
  take,
  uniqueQueue,
} from './queue-steps.ts';
import { isVolumePlayedOn } from './played-on.ts';

/** More than any store reads in one step. */
const MANY = 1234;

async function lists({ queueDirectory }: QueueReplica, queue: QueueName): Promise<boolean> {
  return (await queueDirectory.names()).includes(queue);
}

/** What every QueueDirectoryPort promises. */
export function describeQueueDirectoryPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`QueueDirectoryPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    // holds: queues.list, queues.registry
    it('lists a queue once from its first add on, on all replicas', async () => {
      const other = await harness.replica();
      const queue = uniqueQueue();
      expect(await lists(harness, queue)).to.equal(false);
      for (const replica of [harness, other, harness]) {
        await addOne(replica.queues, queue);
        for (const { queueDirectory } of [harness, other]) {
          const names = await queueDirectory.names();
          expect(names.filter((each) => each === queue)).to.deep.equal([queue]);
        }
      }
    });

    it('lists a queue that began with many jobs, delayed ones, or one that is paused', async () => {
      const [large, later, paused] = [uniqueQueue(), uniqueQueue(), uniqueQueue()];
      await harness.queues.add(
        large,
        Array.from({ length: MANY }, () => jobOf()),
      );
      await addOne(harness.queues, later, { delay: HOUR });
      await harness.queueControl.pause(paused);
      expect(await harness.queueDirectory.names()).to.include.members([large, later, paused]);
    });

    // holds: queues.registry
    it('lists a queue until it is deleted, also when its last job is gone', async () => {
      const queue = uniqueQueue();
      await addOne(harness.queues, queue);
      await process(harness.attempts, queue, { ...COMPLETED, keep: { count: 0 } });
      expect(await lists(harness, queue)).to.equal(true);
      await harness.queueControl.drain(queue, { delayed: true });
      expect(await lists(harness, queue)).to.equal(true);
    });

    it('lists no queue that was only looked at, claimed from or resumed', async () => {
      const queue = uniqueQueue();
      await harness.attempts.claim(queue, claimOf(ANY));
      await harness.attempts.recoverStalled(queue, 1);
      await harness.queueControl.resume(queue);
      await harness.queueControl.drain(queue, {});
      await harness.queues.find(queue, '1');
      expect(await harness.queueDirectory.glances([queue])).to.deep.equal([undefined]);
      expect(await lists(harness, queue)).to.equal(false);
    });

    if (isVolumePlayedOn(name)) {
      // holds: queues.list
      it('lists as many as there are, whatever their names, while others come', async () => {
        const replicas = [harness, await harness.replica(), await harness.replica()];
        const queues = Array.from({ length: MANY }, (_, n) => queueNamed(`many-${n} *[ü]∆`));
        const each = queues.map((queue, n) => addOne(replicas[n % 3]!.queues, queue));
        await Promise.all([
          ...each,
          ...replicas.map(({ queueDirectory }) => queueDirectory.names()),
        ]);
        for (const { queueDirectory } of replicas) {
          const names = await queueDirectory.names();
          expect(names.filter((queue) => queue.startsWith('many-'))).to.have.members(queues);
          const glances = await queueDirectory.glances(queues);
          expect(glances.filter((glance) => glance?.counts.waiting === 1)).to.have.lengthOf(MANY);
        }
      });
    }

    it('sees of each queue what it is asked for, in their order', async () => {
      const { queues, queueControl, queueDirectory, attempts } = harness;
      const [busy, paused, none] = [uniqueQueue(), uniqueQueue(), uniqueQueue()];
      for (const opts of [{}, {}, { priority: 3 }, { delay: HOUR }]) {
        await addOne(queues, busy, opts);
      }
      await take(attempts, busy);
      await queueControl.pause(paused);
      expect(await queueDirectory.glances([paused, none, busy, paused])).to.deep.equal([
        { isPaused: true, suspended: 0, counts: NO_JOBS },
        undefined,
        { isPaused: false, suspended: 0, ...(await queues.summary(busy)) },
        { isPaused: true, suspended: 0, counts: NO_JOBS },
      ]);
      expect(await queueDirectory.glances([])).to.deep.equal([]);
    });

    it('still lists what it listed after it looked for others', async () => {
      const queue = uniqueQueue();
      await addOne(harness.queues, queue);
      await Promise.all([1, 2, 3].map(() => harness.queueDirectory.discover()));
      expect(await lists(harness, queue)).to.equal(true);
    });
  });
}
