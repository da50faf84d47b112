import { expect } from 'chai';
import { MemorySignals } from '../../../src/adapters/outbound/memory/memory-signals.ts';
import { MemoryWorkerStore } from '../../../src/adapters/outbound/memory/memory-worker-store.ts';
import { BulkRepairs } from '../../../src/application/jobs/bulk-repairs.ts';
import { Failures } from '../../../src/application/jobs/failures.ts';
import { JobSearch } from '../../../src/application/jobs/job-search.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { countsOf, uniqueQueue } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';

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
