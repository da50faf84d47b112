import { expect } from 'chai';
import { inGroup, within } from '../../contracts/groups/group-steps.ts';
import { COMPLETED, jobOf, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import type { GroupDefaults } from '../../../src/domain/groups/group-settings.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';

const ONE: GroupDefaults = { concurrency: 1 };

/** More than one look examines. */
const GROUPS = 25_000;

describe('The looks at the demand of a queue', () => {
  let server: RedisServer;
  let connections: Awaited<ReturnType<typeof TestConnections.open>>;
  let replica: RedisReplica;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    replica = redisReplica(connections);
  });

  after(async () => {
    connections.close();
    await server.stop();
  });

  async function behind(queue: QueueName, groups?: GroupDefaults): Promise<number | undefined> {
    const [facts] = await replica.demand.facts([{ queue, groups }]);
    return facts?.waitingBehindLimits;
  }

  /** How often a command was called since the last time, also by scripts. */
  async function calls(command: string): Promise<number> {
    const info = await connections.commands.info('commandstats');
    await connections.commands.config('RESETSTAT');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+),`).exec(info)?.[1] ?? 0);
  }

  const keysOf = (queue: QueueName): Promise<string[]> =>
    connections.commands.keys(`bull:${queue}:jobgate:group-*`);

  // holds: demand.steps
  it('examine all groups once, in short steps, and then only those that changed', async function () {
    this.timeout(60_000);
    const queue = uniqueQueue();
    for (let first = 0; first < GROUPS; first += 5000) {
      const jobs = Array.from({ length: 10_000 }, (_, index) =>
        jobOf(inGroup(`group-${first + (index % 5000)}`)),
      );
      await replica.queues.add(queue, jobs);
    }
    await calls('evalsha');
    const first = await behind(queue, ONE);
    expect(first).to.be.within(15_000, GROUPS - 1);
    expect(await calls('evalsha')).to.be.within(50, 100);
    expect(await behind(queue, ONE)).to.equal(GROUPS);
    await calls('zlexcount');
    expect(await behind(queue, ONE)).to.equal(GROUPS);
    expect(await calls('zlexcount')).to.equal(0);
    await replica.attempts.settle(
      queue,
      await take(replica.attempts, queue, within(ONE)),
      COMPLETED,
    );
    await calls('zlexcount');
    expect(await behind(queue, ONE)).to.equal(GROUPS - 1);
    expect(await calls('zlexcount')).to.equal(1);
  });

  // holds: demand.steps
  it('keep nothing of queues whose groups have no limits, and nothing for long of others', async () => {
    const queue = uniqueQueue();
    await replica.queues.add(queue, [jobOf(inGroup('a')), jobOf(inGroup('a')), jobOf()]);
    const before = await keysOf(queue);
    expect(await behind(queue)).to.equal(0);
    expect(await keysOf(queue)).to.have.members(before);
    expect(await behind(queue, { ordered: 'skip' })).to.equal(1);
    const kept = (await keysOf(queue)).filter((key) => !before.includes(key));
    expect(kept).not.to.have.lengthOf(0);
    for (const key of kept) {
      expect(await connections.commands.pttl(key), key).to.be.within(1, 1_200_000);
    }
  });

  // holds: demand.steps
  it('begin anew where many groups changed and nobody looked', async function () {
    this.timeout(60_000);
    const queue = uniqueQueue();
    await replica.queues.add(queue, [jobOf(inGroup('a')), jobOf(inGroup('a'))]);
    expect(await behind(queue, ONE)).to.equal(1);
    for (let first = 0; first < 30_000; first += 10_000) {
      const jobs = Array.from({ length: 10_000 }, (_, index) =>
        jobOf(inGroup(`g${first + index}`)),
      );
      await replica.queues.add(queue, jobs);
    }
    const changed = `bull:${queue}:jobgate:group-changed`;
    expect(await connections.commands.zcard(changed)).to.be.at.most(30_001);
    await replica.queues.add(queue, [jobOf(inGroup('a'))]);
    expect(await connections.commands.zcard(changed)).to.equal(0);
    await behind(queue, ONE);
    expect(await behind(queue, ONE)).to.equal(2);
  });
});
