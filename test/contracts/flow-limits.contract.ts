import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Attempt } from '../../src/domain/attempts/attempt.ts';
import type { Claim } from '../../src/domain/attempts/claim.ts';
import type { GroupStanding } from '../../src/domain/groups/group.ts';
import { FLOW_KEPT, flowLimitOf, flowSettings } from '../../src/domain/messages/flow-limit.ts';
import { PATIENCE } from '../../src/domain/limits/turns.ts';
import type { FlowControl } from '../../src/domain/messages/push.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import {
  ANY,
  claimOf,
  type ClaimTerms,
  COMPLETED,
  findStalled,
  jobOf,
  SHORTLY,
  SOON,
  uniqueQueue,
} from './queue-steps.ts';

const WINDOW = 5000;
const STRETCHED = WINDOW + 50;

const GROUPS = { hasFlows: true } as const;
const TERMS = { ...ANY, groups: GROUPS };

/** What every store promises of the limit of a flow control key (further contract, section 24). */
export function describeFlowLimits(harnessOf: () => Promise<QueueHarness>): void {
  describe('limits of flow control keys', () => {
    let harness: QueueHarness;
    let other: QueueReplica;
    let key: string;
    let queues: readonly [QueueName, QueueName, QueueName];

    before(async () => {
      harness = await harnessOf();
      other = await harness.replica();
    });
    beforeEach(() => {
      key = `user 17: 50%,ü ${randomUUID()}`;
      queues = [uniqueQueue('-a'), uniqueQueue('-b'), uniqueQueue('-c')];
    });
    after(() => harness.dispose());

    async function bind(flow: Omit<FlowControl, 'key'>): Promise<void> {
      await harness.limitUse.bind(flowLimitOf(key), flowSettings({ key, ...flow }), 0);
    }

    /** Adds messages with the key to each queue, and behind them some with another one. */
    async function publish(flow: Omit<FlowControl, 'key'>, count = 3): Promise<void> {
      for (const queue of queues) {
        const mine = Array.from({ length: count }, () => message(key, flow));
        await harness.queues.add(queue, [...mine, message(`${key} other`, { parallelism: 1 })]);
      }
    }

    function message(id: string, flow: Omit<FlowControl, 'key'>) {
      const job = jobOf({ group: { id } });
      const endpoint = { url: 'http://a.test/', push: { flowControl: { key: id, ...flow } } };
      return { ...job, opts: { ...job.opts, endpoint } };
    }

    const claim = (queue: QueueName, replica: QueueReplica = harness): Promise<Claim> =>
      replica.attempts.claim(queue, claimOf(TERMS));

    const groupIn = (queue: QueueName): Promise<GroupStanding | undefined> =>
      other.groups.find(queue, key, GROUPS);

    /** Takes all that may start. @returns the attempts with the key. */
    async function taken(terms: ClaimTerms = TERMS): Promise<readonly Attempt[]> {
      const found: Attempt[] = [];
      for (const queue of queues) {
        for (const replica of [harness, other]) {
          for (;;) {
            const { attempt } = {
              attempt: undefined,
              ...(await replica.attempts.claim(queue, claimOf(terms))),
            };
            if (attempt === undefined) break;
            if (attempt.job.opts.group?.id === key) found.push(attempt);
          }
        }
      }
      return found;
    }

    const end = (attempt: Attempt): Promise<unknown> =>
      harness.attempts.settle(attempt.job.queue, attempt, COMPLETED);

    // holds: qstash.flow-control
    it('bounds what runs of all queues and replicas, and lets other groups pass', async () => {
      await bind({ parallelism: 2 });
      await publish({ parallelism: 2 });
      const running = await taken();
      expect(running).to.have.lengthOf(2);
      for (const queue of queues) {
        const group = await groupIn(queue);
        expect(group?.blocked).to.deep.equal({ reason: 'concurrency' });
        const others = await other.groups.find(queue, `${key} other`, GROUPS);
        expect(others?.waiting, 'one runs somewhere').to.be.at.most(1);
      }
      await end(running[0]!);
      expect(await taken()).to.have.lengthOf(1);
      expect(await taken()).to.have.lengthOf(0);
    });

    // holds: qstash.flow-control
    it('holds for claims of all queues at the same time', async () => {
      await bind({ parallelism: 3 });
      await publish({ parallelism: 3 }, 10);
      const claims = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          claim(queues[index % 3]!, index % 2 === 0 ? other : harness),
        ),
      );
      const mine = claims.filter(
        (each) => each.kind === 'attempt' && each.attempt.job.opts.group?.id === key,
      );
      expect(mine).to.have.lengthOf(3);
    });

    // holds: qstash.flow-control
    it('bounds the starts of all queues in a window', async () => {
      await bind({ rate: 2, period: WINDOW });
      await publish({ rate: 2, period: WINDOW });
      for (const attempt of await taken()) await end(attempt);
      expect(await taken()).to.have.lengthOf(0);
      const { blocked } = (await groupIn(queues[0])) ?? {};
      expect(blocked?.reason).to.equal('limiter');
      expect(blocked?.until).to.be.above(harness.now());
      await harness.advance(STRETCHED + PATIENCE);
      expect(await taken()).to.have.lengthOf(2);
    });

    // holds: qstash.flow-control
    it('has a queue that waits start once another one has ended its message', async () => {
      await bind({ parallelism: 1 });
      await publish({ parallelism: 1 }, 1);
      const order: QueueName[] = [];
      for (let [attempt] = await taken(); attempt !== undefined; [attempt] = await taken()) {
        order.push(attempt.job.queue);
        await end(attempt);
      }
      expect(order).to.have.members(queues);
    });

    // holds: qstash.flow-control
    it('wakes no queue whose messages are gone in place of one that waits', async () => {
      await bind({ parallelism: 1 });
      await publish({ parallelism: 1 }, 1);
      const [running] = await taken();
      const waiting = queues.filter((queue) => queue !== running?.job.queue);
      const gone = (await groupIn(waiting[0]!))?.waiting === 1 ? waiting[0]! : waiting[1]!;
      await harness.queueControl.drain(gone, {});
      await end(running!);
      expect(await taken()).to.have.lengthOf(1);
    });

    // holds: qstash.flow-control
    it('has room again once the message of a lost replica stalls', async () => {
      await bind({ parallelism: 1 });
      await publish({ parallelism: 1 }, 1);
      const [first] = await taken({ ...SHORTLY, groups: GROUPS });
      await harness.advance(SOON);
      expect(await taken()).to.have.lengthOf(0);
      expect(await findStalled(harness, first!.job.queue)).to.have.length.of.at.least(1);
      expect(await taken()).to.have.lengthOf(1);
    });

    // holds: qstash.flow-control
    it('goes by the latest settings at once', async () => {
      await bind({ parallelism: 1 });
      await publish({ parallelism: 1 });
      expect(await taken()).to.have.lengthOf(1);
      await bind({ parallelism: 4 });
      expect(await taken()).to.have.lengthOf(3);
      await bind({ parallelism: 2 });
      expect(await taken()).to.have.lengthOf(0);
    });

    // holds: qstash.flow-control
    it('is forgotten once the key rests, and goes by the next message where it is', async () => {
      const uses = () => other.limitUse.uses([{ name: flowLimitOf(key) }]);
      const unused = randomUUID();
      await harness.limitUse.bind(flowLimitOf(unused), { concurrency: 1 }, 0);
      await bind({ parallelism: 4 });
      await publish({ parallelism: 2 });
      expect(await uses()).to.have.nested.property('[0].settings.concurrency', 4);
      await harness.advance(2 * FLOW_KEPT);
      while (!(await other.expiry.expireDue()).isDone);
      expect(await uses()).to.deep.equal([undefined]);
      await harness.limitUse.bind(flowLimitOf(randomUUID()), { concurrency: 1 }, 0);
      expect((await harness.dump?.())?.includes(unused) ?? false).to.equal(false);
      expect(await taken()).to.have.lengthOf(2);
      expect(await uses()).to.have.nested.property('[0].settings.concurrency', 2);
    });

    // holds: qstash.flow-control
    it('does not bound queues of other purposes', async () => {
      await bind({ parallelism: 1 });
      await publish({ parallelism: 1 });
      expect(await taken(ANY)).to.have.lengthOf(9);
    });
  });
}
