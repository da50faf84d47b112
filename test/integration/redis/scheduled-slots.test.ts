import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { isStoreUnavailable } from '../../../src/domain/errors.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { MAX_SCHEDULERS, newScheduler } from '../../../src/domain/schedulers/scheduler.ts';
import {
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  jobOf,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { clockOf } from '../../support/clock-of.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { timeOf } from '../../support/redis/redis-queue-harness.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';
import { rounds } from '../../support/lane.ts';

const SLOTS = rounds(1000, 150);
const PERIOD = 1000;

/** How far the clock of each replica is ahead of that of the store, in milliseconds. */
const AHEAD = [2000, 0, -2000];

/** A lock that is soon gone when its replica is, in milliseconds of the machine. */
const CLAIM = { concurrency: 10, lockDuration: 30 };

interface Replica extends RedisReplica {
  readonly ahead: number;
  readonly connections: TestConnections;
}

describe('a scheduler on three replicas whose clocks are two seconds apart', () => {
  const prefix = `slots-${randomUUID()}`;
  let uri: string;
  let time: FakeClock;
  let queue: QueueName;
  let replicas: Replica[];

  const open = async (ahead: number): Promise<Replica> => {
    const connections = await TestConnections.open(uri);
    const clock = clockOf(() => time.now() + ahead);
    const options = { prefix, clock, storeTime: timeOf(time), eventsKept: 100_000 };
    return { ahead, connections, ...redisReplica(connections, options) };
  };

  beforeEach(async () => {
    ({ uri } = await testStore());
    // At a slot.
    time = new FakeClock(Math.floor(Date.now() / PERIOD) * PERIOD);
    queue = uniqueQueue();
    replicas = await Promise.all(AHEAD.map(open));
  });
  afterEach(() => {
    for (const { connections } of replicas) connections.close();
  });

  const at = (number: number): Replica => replicas[number % replicas.length]!;

  const save = async (number: number, pattern: string): Promise<void> => {
    const opts = { removeOnComplete: true, removeOnFail: true };
    const job = { name: 'report', data: number, opts };
    const scheduler = newScheduler('often', { repeat: { pattern }, job });
    await at(number).schedulers.save(queue, 'often', scheduler, MAX_SCHEDULERS);
  };

  /** Processes all jobs that are due by the clock of the replica, of which every third fails. */
  const work = async ({ attempts }: Replica): Promise<void> => {
    for (;;) {
      const claim = await attempts.claim(queue, claimOf(CLAIM));
      if (claim.kind !== 'attempt') return;
      const ending = Number(claim.attempt.jobId.split(':')[2]) % 3 === 0 ? FAILED : COMPLETED;
      await attempts.settle(queue, claim.attempt, ending);
    }
  };

  const workAll = async (): Promise<void> => {
    await Promise.all(replicas.map(work));
  };

  /**
   * Kills a replica in the middle of its work, after some milliseconds: which step of the work that hits
   * differs from one time to the next, as in a crash.
   *
   * @returns how far its clock was ahead.
   */
  const kill = async (number: number, after: number): Promise<number> => {
    const killed = at(number);
    replicas = replicas.filter((replica) => replica !== killed);
    const working = work(killed).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
    });
    const othersWorking = workAll();
    await sleep(after);
    killed.connections.close();
    await Promise.all([working, othersWorking]);
    const { attempts, queues } = at(number);
    await eventually('what it had is processed', async () => {
      await attempts.recoverStalled(queue, 10);
      await workAll();
      return (await countsOf(queues, queue))['active'] === 0;
    });
    return killed.ahead;
  };

  /** How often the job of each slot ended, by the slot, and how many other jobs did. */
  const ends = async (): Promise<{ slots: Map<number, number>; others: number }> => {
    const entries = await at(0).connections.commands.xrange(`${prefix}:${queue}:events`, '-', '+');
    const slots = new Map<number, number>();
    let others = 0;
    for (const [, [, event, , jobId = '']] of entries) {
      if (event !== 'completed' && event !== 'failed') continue;
      const slot = Number(jobId.split(':')[2]);
      if (jobId.startsWith('repeat:')) slots.set(slot, (slots.get(slot) ?? 0) + 1);
      else others += 1;
    }
    return { slots, others };
  };

  // holds: schedulers.one-job
  it(`makes one job a slot over ${SLOTS} slots, whatever is done to it`, async () => {
    const often = '* * * * * *';
    await save(0, often);
    let byHand = 0;
    let missing = 0;
    for (let n = 1; n <= SLOTS; n += 1) {
      await time.advance(PERIOD);
      const { schedulers, queues } = at(n);
      switch (n % 10) {
        case 1:
          await Promise.all([workAll(), save(n, often), save(n + 1, often)]);
          break;
        case 2:
          if (n > 10) replicas.push(await open(missing));
          break;
        case 3:
          await Promise.all([workAll(), at(n + 1).schedulers.pause(queue, 'often')]);
          await Promise.all([workAll(), schedulers.resume(queue, 'often')]);
          break;
        case 5:
          await Promise.all([workAll(), queues.add(queue, [jobOf()])]);
          byHand += 1;
          break;
        case 7:
          await workAll();
          // The same slots in other words.
          await save(n, n % 20 === 7 ? '*/1 * * * * *' : often);
          break;
        case 9:
          missing = await kill(Math.floor(n / 10), n % 7);
          break;
      }
      await workAll();
    }
    const { slots, others } = await ends();
    const made = [...slots.keys()].sort((one, other) => one - other);
    const [first = 0] = made;
    expect(made.length).to.be.at.least(SLOTS);
    expect(made).to.deep.equal(made.map((_, index) => first + index * PERIOD));
    expect([...slots].filter(([, count]) => count !== 1)).to.deep.equal([]);
    expect(others).to.equal(byHand);
  }).timeout(180_000);
});
