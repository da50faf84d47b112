import { JOBS_PER_STEP } from '../../../src/adapters/outbound/redis/lua/reaches.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { workersInMemory } from '../../support/collections.ts';
import { BulkRepairs } from '../../../src/application/jobs/bulk-repairs.ts';
import { Failures } from '../../../src/application/jobs/failures.ts';
import { JobActions } from '../../../src/application/jobs/job-actions.ts';
import { JobSearch } from '../../../src/application/jobs/job-search.ts';
import { flowJobShape, newFlow } from '../../../src/domain/flows/flow.ts';
import { queueName, type QueueName } from '../../../src/domain/queues/queue-name.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { countsOf, uniqueQueue, NO_JOBS } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { eventually } from '../../support/eventually.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { rejection } from '../../support/rejection.ts';
import { unobserved } from '../../support/unobserved.ts';

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
    const { jobScan, jobParts, jobControl, queues } = redisReplica(connections);
    const clock = new SystemClock();
    const [workers, signals] = [workersInMemory(), new MemorySignals()];
    const repairs = new BulkRepairs({
      scan: jobScan,
      control: jobControl,
      workers,
      signals,
      observer: unobserved,
      clock,
    });
    await connections.commands.config('RESETSTAT');

    const { window, failed, causes } = await new Failures(jobScan, queues).report(queue, 10_000);
    expect([window, failed, causes.length]).to.deep.equal([10_000, FAILED_JOBS, 1]);

    const filter = { data: { path: ['customer', 'id'], value: String(FAILED_JOBS - 1500) } };
    const search = new JobSearch(jobScan, queues, jobParts, clock);
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
    const [workers, signals] = [workersInMemory(), new MemorySignals()];
    const actions = new JobActions({
      control: jobControl,
      queues,
      workers,
      policies: noPolicies,
      signals,
      flows,
      observer: unobserved,
      clock: new SystemClock(),
    });
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
    expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
    await wasDoneInSteps();
  });
});

describe('A long waiting list', () => {
  const WAITING = 400_000;
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

  /** KEYS: the waiting list. ARGV: job key prefix, how many jobs wait, the first and last that are there. */
  const FILL = `
for first = 1, ARGV[2], 5000 do
  local ids = {}
  for id = first, math.min(first + 4999, ARGV[2]) do ids[#ids + 1] = id end
  redis.call("LPUSH", KEYS[1], unpack(ids))
end
for id = ARGV[3], ARGV[4] do
  redis.call("HSET", ARGV[1] .. id, "name", "work", "data", "1", "opts", "{}", "timestamp", "1700000000000")
end`;

  /** Ids count up from 1, the first to be taken. @returns the ids of the jobs that are in the middle. */
  async function filled(queue: QueueName, waiting: number, count: number): Promise<string[]> {
    const prefix = `bull:${queue}:`;
    const first = waiting / 2;
    const ids = Array.from({ length: count }, (_, index) => String(first + index));
    const range = [first, first + count - 1];
    await connections.commands.eval(FILL, 1, `${prefix}wait`, prefix, waiting, ...range);
    await connections.commands.config('RESETSTAT');
    return ids;
  }

  function bulkRepairs(): BulkRepairs {
    const { jobScan, jobControl } = redisReplica(connections);
    const [workers, signals] = [workersInMemory(), new MemorySignals()];
    return new BulkRepairs({
      scan: jobScan,
      control: jobControl,
      workers,
      signals,
      observer: unobserved,
      clock: new SystemClock(),
    });
  }

  /** Commands of a kind that the store carried out, once no run of a script was long in the mean. */
  async function commandsOfScripts(command: string): Promise<number> {
    const stats = await connections.commands.info('commandstats');
    const mean = /cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(stats)?.[1];
    expect(Number(mean)).to.be.below(LONGEST);
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  }

  for (const [kind, counts] of [
    ['cancel', { failed: 1000 }],
    ['clean', { failed: 0 }],
  ] as const) {
    // holds: repair.short-steps
    it(`is walked through once for many jobs in its middle: ${kind}`, async function () {
      this.timeout(60_000);
      const queue = uniqueQueue();
      const ids = await filled(queue, WAITING, 1000);
      const result = await bulkRepairs().repair(queue, kind, { filter: { ids } });
      expect(result).to.deep.equal({ matched: 1000, done: 1000, remaining: 0 });
      // One walk reads each piece of the list once; a walk for each job would read a thousand times as many.
      expect(await commandsOfScripts('lrange')).to.be.within(1, (2 * WAITING) / JOBS_PER_STEP);
      const left = WAITING - 1000;
      const counted = await countsOf(redisReplica(connections).queues, queue);
      expect(counted).to.include({ waiting: left, ...counts });
      const gone = new Set(ids);
      const all = Array.from({ length: WAITING }, (_, index) => String(WAITING - index));
      const waiting = await connections.commands.lrange(`bull:${queue}:wait`, 0, -1);
      expect(waiting.join() === all.filter((id) => !gone.has(id)).join()).to.equal(true);
    });
  }

  // holds: repair.short-steps
  it('is walked through in short steps for a single job in its middle', async function () {
    this.timeout(60_000);
    const queue = uniqueQueue();
    const [first, second, third] = (await filled(queue, WAITING, 3)) as [string, string, string];
    const { jobControl, queues } = redisReplica(connections);
    const done = { kind: 'done' };
    const outcomes = await Promise.all([
      jobControl.cancel(queue, first, { reason: 'no' }),
      jobControl.remove(queue, second),
      jobControl.change(queue, third, { priority: 3 }),
    ]);
    expect(outcomes).to.deep.equal([done, done, done]);
    await commandsOfScripts('lrange');
    expect(await countsOf(queues, queue)).to.include({
      waiting: WAITING - 3,
      failed: 1,
      prioritized: 1,
    });
  });

  // holds: repair.short-steps
  it('loses no job, and doubles none, when native clients add and take meanwhile', async function () {
    this.timeout(60_000);
    const queue = uniqueQueue();
    const [list, side] = [`bull:${queue}:wait`, `bull:${queue}:taken`];
    const ids = await filled(queue, 60_000, 500);
    const other = (await TestConnections.open(server.uri)).commands;
    const repaired = new AbortController();
    const moving = (async () => {
      for (let id = 60_001; !repaired.signal.aborted; id += 100) {
        const added = Array.from({ length: 100 }, (_, index) => String(id + index));
        await other.lpush(list, ...added);
        await Promise.all(added.map(() => other.rpoplpush(list, side)));
      }
    })();
    const result = await bulkRepairs().repair(queue, 'cancel', { filter: { ids } });
    expect(result).to.include({ done: 500 });
    repaired.abort();
    await moving;
    const [waiting, taken] = [await other.lrange(list, 0, -1), await other.lrange(side, 0, -1)];
    other.disconnect();
    const stay = [...waiting, ...taken];
    expect(new Set(stay).size).to.equal(stay.length);
    const added = Math.max(...stay.map(Number));
    expect(stay).to.have.length(added - 500);
    expect(stay.some((id) => ids.includes(id))).to.equal(false);
    // In the order in which they were added.
    expect(stay.map(Number)).to.deep.equal(stay.map(Number).sort((one, two) => two - one));
  });
});
