import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { flowJobShape, newFlow, type NewFlowJob } from '../../../src/domain/flows/flow.ts';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { rejection } from '../../support/rejection.ts';

const MANY = 3000;

const QUEUE = queueNamed('large');

const shape = flowJobShape(queueName({ min: 1, max: 100 }));

/** What others can see of the queue, in one step. */
const SEEN = `
local seen = {}
for _, key in ipairs(redis.call("KEYS", "bull:large:*")) do
  if not string.find(key, ":jobgate:staged-", 1, true) then seen[#seen + 1] = key end
end
return {#seen, redis.call("LLEN", "bull:large:wait"), redis.call("ZCARD", "bull:large:jobgate:group-waiting"),
  redis.call("EXISTS", "bull:large:events")}`;

function jobsOfGroups(): NewJob[] {
  return Array.from({ length: MANY }, (_, n) =>
    newJob({ name: 'work', data: n, opts: n % 2 === 0 ? {} : { group: { id: `group-${n}` } } }, ''),
  );
}

function flowOfGroups(): readonly NewFlowJob[] {
  const children = Array.from({ length: MANY - 1 }, (_, n) => ({
    queue: QUEUE,
    name: 'part',
    data: n,
    opts: { group: { id: `group-${n}` } },
  }));
  const root = { queue: QUEUE, name: 'report', data: 1, children };
  return newFlow(root, shape, () => undefined, randomUUID());
}

describe('Large adds in Redis', () => {
  const closers: (() => unknown)[] = [];
  let server: RedisServer;

  beforeEach(async () => {
    server = await RedisServer.start();
    closers.push(() => server.stop());
  });

  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  async function connect(port = server.port) {
    const connections = await TestConnections.open(`redis://127.0.0.1:${port}`);
    closers.push(() => connections.close());
    return redisReplica(connections);
  }

  function observer(): Redis {
    const redis = new Redis(server.uri);
    closers.push(() => redis.disconnect());
    return redis;
  }

  for (const [what, add] of [
    ['an add', (replica) => replica.queues.add(QUEUE, jobsOfGroups(), MANY, 3)],
    [
      'a flow',
      (replica) =>
        replica.flows.add(
          flowOfGroups(),
          () => MANY,
          () => 3,
        ),
    ],
  ] as const satisfies readonly (readonly [
    string,
    (replica: Awaited<ReturnType<typeof connect>>) => Promise<unknown>,
  ])[]) {
    // holds: adding.large
    it(`become visible in one step: ${what}`, async () => {
      const replica = await connect();
      const redis = observer();
      const seen = new Set<string>();
      const look = async (): Promise<boolean> => {
        seen.add(String(await redis.eval(SEEN, 0)));
        return false;
      };
      const added = add(replica).then(() => true);
      while (!(await Promise.race([added, look()])));
      const whole = String(await redis.eval(SEEN, 0));
      expect([...seen].filter((each) => each !== whole)).to.deep.equal(['0,0,0,0']);
      expect((await redis.keys('*staged*')).length).to.equal(0);
    });

    for (const cut of [20_000, 300_000, 500_000]) {
      // holds: adding.large, add.atomic
      it(`leave only what expires soon when the connection is cut after ${cut} bytes of ${what}`, async () => {
        const proxy = await CuttingProxy.start(server.port);
        closers.push(() => proxy.close());
        const replica = await connect(proxy.port);
        proxy.cutAfter({ sent: cut });
        expect(await rejection(add(replica))).to.include({ code: 'store-unavailable' });
        const redis = observer();
        expect(await redis.eval(SEEN, 0)).to.deep.equal([0, 0, 0, 0]);
        for (const key of await redis.keys('*')) {
          expect(key).to.include(':jobgate:staged-');
          expect(await redis.pttl(key)).to.be.within(1, 60_000);
        }
      });
    }

    // holds: adding.large
    it(`take few commands for each job of ${what}, however many groups there are`, async () => {
      const replica = await connect();
      const redis = observer();
      await redis.config('RESETSTAT');
      await add(replica);
      const stats = await redis.info('commandstats');
      const calls = [...stats.matchAll(/:calls=(\d+)/g)].map(([, count]) => Number(count));
      // To stage it, a hash and its expiry; to add it, a name that stays, and two events.
      expect(calls.reduce((sum, count) => sum + count, 0)).to.be.below(6.2 * MANY);
    });
  }
});
