import { expect } from 'chai';
import type { LoggedChange } from '../../../src/adapters/outbound/postgres/log/log-entry.ts';
import { FLOW_KEPT, flowLimitOf } from '../../../src/domain/messages/flow-limit.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../../contracts/queue-harness.ts';
import { ANY, jobOf, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';

const KEYS = 20_000;
const WINDOW = 5000;
const TERMS = { ...ANY, concurrency: 2000, groups: { hasFlows: true } } as const;

/** The most records that a step changes because of keys that rest. */
const MOST_CHANGED = 500;

describe('flow control keys that rest, on two replicas', function () {
  this.timeout(60_000);

  let log: LogInMemory;
  let one: QueueHarness;
  let other: QueueReplica;

  beforeEach(async () => {
    log = new LogInMemory();
    one = replicasInMemory('test', new FakeClock(), undefined, log);
    other = await one.replica();
  });

  const bind = (key: string, replica: QueueReplica = one): Promise<void> =>
    replica.limitUse.bind(flowLimitOf(key), { concurrency: 1 }, 0);

  const lastRound = async (): Promise<number> => (await log.after(0)).length;

  /** How many records each round changed. */
  async function changedAfter(round: number): Promise<readonly number[]> {
    const rounds = await log.after(round);
    return rounds.map(({ changes }) => (JSON.parse(changes) as readonly LoggedChange[]).length);
  }

  async function sweep(replica: QueueReplica): Promise<void> {
    while (!(await replica.expiry.expireDue()).isDone);
  }

  function recordsOf(...kinds: readonly string[]): number {
    log.fold();
    return log.records.filter(({ kind }) => kinds.includes(kind)).length;
  }

  // holds: qstash.flow-control, store.postgres-replicas
  it('are forgotten by either of them in steps that are short, however many there are', async () => {
    await Promise.all(Array.from({ length: KEYS }, (_, index) => bind(`key-${index}`)));
    await one.advance(2 * FLOW_KEPT);
    const before = await lastRound();
    await bind('another', other);
    expect(await changedAfter(before)).to.deep.equal([1]);
    expect(recordsOf('flow-limit')).to.equal(KEYS + 1);
    await one.expiry.expireDue();
    await other.expiry.expireDue();
    expect(recordsOf('flow-limit')).to.equal(KEYS + 1 - 2 * MOST_CHANGED);
    // Another one takes up what is left, in the order that all share.
    const third = replicasInMemory('test', new FakeClock(one.now()), undefined, log);
    await sweep(third);
    expect(Math.max(...(await changedAfter(before)))).to.equal(MOST_CHANGED);
    expect(recordsOf('flow-limit')).to.equal(1);
    for (const replica of [one, other]) {
      const uses = await replica.limitUse.uses([
        { name: flowLimitOf('key-0') },
        { name: flowLimitOf('another') },
      ]);
      expect(uses.map((use) => use !== undefined)).to.deep.equal([false, true]);
    }
  });

  /** Adds messages whose key allows many starts in a window. */
  async function publish(count: number): Promise<QueueName> {
    const queue = uniqueQueue();
    const push = { flowControl: { key: 'mail', rate: 2000, period: WINDOW } };
    const { opts, ...job } = jobOf({ group: { id: 'mail' } });
    const message = { ...job, opts: { ...opts, endpoint: { url: 'http://a.test/', push } } };
    await one.queues.add(
      queue,
      Array.from({ length: count }, () => message),
    );
    return queue;
  }

  const started = async (replica: QueueReplica): Promise<number | undefined> =>
    (await replica.limitUse.uses([{ name: flowLimitOf('mail') }]))[0]?.started;

  // holds: qstash.flow-control
  it('leave nothing of the starts that they counted', async () => {
    const queue = await publish(250);
    for (let claims = 0; claims < 250; claims += 1) await take(one.attempts, queue, TERMS);
    expect(await started(other)).to.equal(250);
    await one.advance(2 * FLOW_KEPT);
    await sweep(one);
    expect(recordsOf('flow-limit', 'limit-starts', 'limit-turn')).to.equal(0);
  });

  // holds: qstash.flow-control, store.postgres-replicas
  it('count anew on both once they are used again, though one of them looks late', async () => {
    const queue = await publish(155);
    for (let claims = 0; claims < 150; claims += 1) await take(one.attempts, queue, TERMS);
    await one.advance(2 * WINDOW);
    await take(one.attempts, queue, TERMS);
    expect(await started(other)).to.equal(1);
    await one.advance(2 * FLOW_KEPT);
    await sweep(one);
    await take(one.attempts, queue, TERMS);
    await take(one.attempts, queue, TERMS);
    expect([await started(one), await started(other)]).to.deep.equal([2, 2]);
    await take(one.attempts, queue, TERMS);
    expect([await started(one), await started(other)]).to.deep.equal([3, 3]);
    for (let times = 0; times < 2; times += 1) await one.advance(1);
  });
});
