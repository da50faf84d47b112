import { expect } from 'chai';
import type { Settled } from '../../src/domain/attempts/ending.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addEach, ANY, take, uniqueQueue } from './queue-steps.ts';

const OPEN_FOR = 60_000;
const CALL = { ...ANY, hasBreaker: true };

/** What every BreakerPort promises. How endings open and close breakers is in the suite of AttemptEnginePort. */
export function describeBreakerPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`BreakerPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    async function fail(queue: QueueName): Promise<Settled> {
      const reason = 'ECONNREFUSED';
      const attempt = await take(harness.attempts, queue, CALL);
      const verdict = {
        failures: 2,
        openFor: OPEN_FOR,
        maxOpenFor: OPEN_FOR,
        isDown: true,
        reason,
      };
      return harness.attempts.settle(queue, attempt, { kind: 'failed', reason, verdict });
    }

    async function opened(): Promise<QueueName> {
      const queue = uniqueQueue();
      await addEach(harness.queues, queue, {}, {}, {}, {}, {});
      await fail(queue);
      expect((await fail(queue)).breaker).to.equal('opened');
      return queue;
    }

    it('finds no breaker in a queue that does not exist', async () => {
      expect(await harness.breakers.find(uniqueQueue())).to.equal(undefined);
    });

    it('finds an open breaker on every replica', async () => {
      const queue = await opened();
      const other = await harness.replica();
      const found = await harness.breakers.find(queue);
      expect(found).to.include({ reason: 'ECONNREFUSED' });
      expect(await other.breakers.find(queue)).to.deep.equal(found);
    });

    it('closes a breaker for all replicas and forgets the failures', async () => {
      const queue = await opened();
      const other = await harness.replica();
      await other.breakers.close(queue);
      expect(await harness.breakers.find(queue)).to.equal(undefined);
      expect((await fail(queue)).breaker).to.equal(undefined);
      expect((await fail(queue)).breaker).to.equal('opened');
    });

    it('has nothing to close in a queue that does not exist', async () => {
      const queue = uniqueQueue();
      await harness.breakers.close(queue);
      expect(await harness.queueDirectory.names()).not.to.include(queue);
    });
  });
}
