import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MemorySignals } from '../../../src/adapters/outbound/memory/memory-signals.ts';
import { MemoryWorkerStore } from '../../../src/adapters/outbound/memory/memory-worker-store.ts';
import { BulkRepairs } from '../../../src/application/jobs/bulk-repairs.ts';
import { Failures } from '../../../src/application/jobs/failures.ts';
import { JobActions } from '../../../src/application/jobs/job-actions.ts';
import { JobSearch } from '../../../src/application/jobs/job-search.ts';
import { flowJobShape, newFlow } from '../../../src/domain/flow.ts';
import { queueName, type QueueName } from '../../../src/domain/queue-name.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { countsOf, uniqueQueue } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { eventually } from '../../support/eventually.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { rejection } from '../../support/rejection.ts';

const FAILED_JOBS = 50_000;

/** Longest time of a command, in microseconds: the mean, which a busy machine does not spoil. */
const LONGEST = 10_000;

/** KEYS: the failed jobs. ARGV: job key prefix, first and last id. */
const FAIL_JOBS = `
for id = ARGV[2], ARGV[3] do
  redis.call("HSET", ARGV[1] .. id, "name", "work", "data", '{"customer":{"id":' .. id .. '}}', "opts", "{}",
    "timestamp", "1700000000000", "finishedOn", "1700000001000", "failedReason", "Order " .. id .. " not found")
  redis.call("ZADD", KEYS[1], 1700000001000 + math.floor(id / 10), id)
end`;

describe('A queue of many failed jobs', () => {
  let server: RedisServer;
  let connections: Awaited<ReturnType<typeof TestConnections.open>>;
  const queue = uniqueQueue();

  before(async function () {
    this.timeout(60_000);
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    const prefix = `bull:${queue}:`;
    for (let first = 1; first <= FAILED_JOBS; first += 1000) {
      await connections.commands.eval(FAIL_JOBS, 1, `${prefix}failed`, prefix, first, first + 999);
    }
  });

  after(async () => {
    connections.close();
    await server.stop();
  });

  // holds: repair.short-steps
  it('is looked through and repaired by short commands', async function () {
    this.timeout(60_000);
    const { jobScan, jobControl, queues } = redisReplica(connections);
    const clock = new SystemClock();
    const [workers, signals] = [new MemoryWorkerStore(), new MemorySignals()];
    const repairs = new BulkRepairs(jobScan, jobControl, workers, signals, clock);
    await connections.commands.config('RESETSTAT');

    const { window, failed, causes } = await new Failures(jobScan, queues).report(queue, 10_000);
    expect([window, failed, causes.length]).to.deep.equal([10_000, FAILED_JOBS, 1]);

    const filter = { data: { path: ['customer', 'id'], value: String(FAILED_JOBS - 1500) } };
    const search = new JobSearch(jobScan, queues);
    const first = await search.search(queue, { filter, cursor: null, length: 10 });
    const second = await search.search(queue, { filter, cursor: first.cursor, length: 10 });
    expect([first.scanned, second.scanned]).to.deep.equal([1000, 1000]);
    expect(await collected(second.jobs)).to.have.length(1);

    const cause = { cause: 'Order # not found' };
    expect(await repairs.repair(queue, 'retry', { filter: cause, limit: 3000 })).to.deep.equal({
      matched: FAILED_JOBS,
      done: 3000,
      remaining: FAILED_JOBS - 3000,
    });
    expect(await repairs.repair(queue, 'clean', { all: true, limit: 3000 })).to.include({
      done: 3000,
    });
    expect(await countsOf(queues, queue)).to.include({ waiting: 3000, failed: FAILED_JOBS - 6000 });

    const stats = await connections.commands.info('commandstats');
    for (const [, command, mean] of stats.matchAll(/cmdstat_(\S+):.*usec_per_call=([\d.]+)/g)) {
      expect(Number(mean), command).to.be.below(LONGEST);
    }
  });
});

describe('A large family', () => {
  const MEMBERS = 3000;
  let server: RedisServer;
  let connections: Awaited<ReturnType<typeof TestConnections.open>>;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
  });

  after(async () => {
    connections.close();
    await server.stop();
  });

  const replica = () => redisReplica(connections);

  /** Three levels, whose second one are parents too. @returns the id of the first job. */
  async function added(queue: QueueName): Promise<string> {
    const leaf = { queue, name: 'leaf', data: { of: 'many' } };
    const middle = { ...leaf, children: Array.from({ length: MEMBERS / 10 - 1 }, () => leaf) };
    const root = { ...leaf, children: Array.from({ length: 10 }, () => middle) };
    const shape = flowJobShape(queueName({ min: 1, max: 100 }));
    const jobs = newFlow(root, shape, () => undefined, randomUUID());
    await replica().flows.add(jobs, () => undefined);
    await connections.commands.config('RESETSTAT');
    return jobs[0]!.id;
  }

  /** That no run of a script did it all, and that none was long in the mean. */
  async function wasDoneInSteps(): Promise<void> {
    const stats = await connections.commands.info('commandstats');
    const [, calls, mean] = /cmdstat_evalsha:calls=(\d+).*?usec_per_call=([\d.]+)/.exec(stats)!;
    expect(Number(calls)).to.be.above(MEMBERS);
    expect(Number(mean)).to.be.below(LONGEST);
  }

  // holds: flows.short-steps
  it('is cancelled in short steps', async function () {
    this.timeout(60_000);
    const queue = uniqueQueue();
    const id = await added(queue);
    const { flows, jobControl, queues } = replica();
    const [workers, signals] = [new MemoryWorkerStore(), new MemorySignals()];
    const actions = new JobActions(jobControl, queues, workers, signals, flows);
    await actions.cancel(queue, id, { children: true });
    expect(await countsOf(queues, queue)).to.include({ failed: MEMBERS + 1, waiting: 0 });
    await wasDoneInSteps();
  });

  // holds: flows.short-steps
  it('is removed in short steps, and goes on where it was cut off', async function () {
    this.timeout(60_000);
    const queue = uniqueQueue();
    const id = await added(queue);
    const other = await TestConnections.open(server.uri);
    const cutOff = redisReplica(other).jobControl.remove(queue, id);
    const { jobControl, queues } = replica();
    await eventually('some are gone', async () => {
      const { waiting } = await countsOf(queues, queue);
      return waiting! < MEMBERS - 500;
    });
    other.close();
    expect(await rejection(cutOff)).to.include({ code: 'store-unavailable' });
    const { waiting } = await countsOf(queues, queue);
    expect(waiting).to.be.above(0);
    expect((await queues.find(queue, id))?.state).to.equal('failed');
    expect(await jobControl.remove(queue, id)).to.deep.equal({ kind: 'done' });
    const slice = await queues.list(queue, { statuses: [], start: 0, length: 0 });
    expect(slice.holdsJobs).to.equal(false);
    await wasDoneInSteps();
  });
});
