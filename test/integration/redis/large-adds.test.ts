import { silentLogger } from '../../support/silent-logger.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { StoreCommands } from '../../../src/adapters/outbound/redis/connection/store-commands.ts';
import { FamilyRemoving } from '../../../src/adapters/outbound/redis/control/family-removing.ts';
import { GuardedRuns } from '../../../src/adapters/outbound/redis/control/guarded-runs.ts';
import { QueueKeysCache } from '../../../src/adapters/outbound/redis/layout/queue-keys-cache.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { flowJobShape, newFlow, type NewFlowJob } from '../../../src/domain/flows/flow.ts';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { countsOf, HOUR, jobOf, NO_JOBS, pausedIn } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  EVENTS_KEPT,
  redisReplica,
  silentErrors,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { rejection } from '../../support/rejection.ts';

const MANY = 3000;

const QUEUE = queueNamed('large');

const shape = flowJobShape(queueName({ min: 1, max: 100 }));

/** How many jobs one run stages. */
const STAGED_PER_RUN = 500;

/** The counter of a queue's jobs: numbers that no job got are not given again. */
const COUNTER = 'bull:large:id';

/** When what an add has staged counts as left behind, by the clock of the store. */
const LONG_AGO = 1;

/** The register of staged adds. */
const STAGED_ADDS = 'bull::jobgate:staged';

/** What others wait for until it is opened. */
interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function closedGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    opened,
    open: () => {
      open();
    },
  };
}

type Command = (args: unknown) => Promise<unknown>;

/** Has all runs of a script go through a gate. */
function throughGate(
  client: Redis,
  script: string,
  gate: (run: () => Promise<unknown>) => Promise<unknown>,
): void {
  const define = client.defineCommand.bind(client);
  const commands = client as unknown as Record<string, Command>;
  client.defineCommand = (name, definition) => {
    define(name, definition);
    if (name !== `jobgate:${script}`) return;
    const run = commands[name]?.bind(client) as Command;
    commands[name] = (args) => gate(() => run(args));
  };
}

/** What others can find of the queue, in one step: where jobs are listed, and what tells of them. */
const SEEN = `
local base = "bull:large:"
return {redis.call("LLEN", base .. "wait"), redis.call("ZCARD", base .. "jobgate:group-waiting"),
  redis.call("ZCARD", base .. "jobgate:group-ready"), redis.call("ZCARD", base .. "waiting-children"),
  redis.call("EXISTS", base .. "events", base .. "meta", base .. "marker", "bull::jobgate:queues")}`;

const NOTHING = '0,0,0,0,0';

function plainJobs(): NewJob[] {
  return Array.from({ length: MANY }, (_, n) => jobOf({}, n));
}

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

/** The removal of a job with many below it, which first puts it aside. */
function familyRemoving(client: Redis): FamilyRemoving {
  const keys = new QueueKeysCache('bull', 100);
  const commands = new StoreCommands(client, silentErrors(), EVENTS_KEPT, silentLogger, keys);
  return new FamilyRemoving(commands, new GuardedRuns(commands), new SystemClock());
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

  async function connect(port = server.port): Promise<{ replica: RedisReplica; client: Redis }> {
    const connections = await TestConnections.open(`redis://127.0.0.1:${port}`);
    closers.push(() => connections.close());
    return { replica: redisReplica(connections), client: connections.commands };
  }

  /** Has another replica discard what was left behind, as if it had been long ago. */
  async function discardLeft(redis: Redis): Promise<void> {
    for (const name of await redis.zrange(STAGED_ADDS, 0, -1)) {
      await redis.zadd(STAGED_ADDS, 'XX', LONG_AGO, name);
    }
    const { replica } = await connect();
    while (!(await replica.expiry.expireDue()).isDone);
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
    (replica: RedisReplica) => Promise<unknown>,
  ])[]) {
    // holds: adding.large
    it(`become visible in one step: ${what}`, async () => {
      const { replica } = await connect();
      const redis = observer();
      await redis.ping();
      const seen = new Set<string>();
      const look = async (): Promise<boolean> => {
        seen.add(String(await redis.eval(SEEN, 0)));
        return false;
      };
      const added = add(replica).then(() => true);
      while (!(await Promise.race([added, look()])));
      const whole = String(await redis.eval(SEEN, 0));
      expect(whole).not.to.equal(NOTHING);
      expect([...seen].filter((each) => each !== whole)).to.deep.equal([NOTHING]);
      expect(await redis.keys('*staged*')).to.deep.equal([]);
    });

    for (const cut of [20_000, 300_000, 500_000]) {
      // holds: adding.large, add.atomic
      it(`leave nothing for long when the connection is cut after ${cut} bytes of ${what}`, async () => {
        const proxy = await CuttingProxy.start(server.port);
        closers.push(() => proxy.close());
        const { replica } = await connect(proxy.port);
        proxy.cutAfter({ sent: cut });
        expect(await rejection(add(replica))).to.include({ code: 'store-unavailable' });
        const redis = observer();
        expect(String(await redis.eval(SEEN, 0))).to.equal(NOTHING);
        await discardLeft(redis);
        expect(await redis.keys('*')).to.have.members(what === 'an add' ? [COUNTER] : []);
      });
    }

    // holds: adding.large
    it(`take few commands for each job of ${what}, however many groups there are`, async () => {
      const { replica } = await connect();
      const redis = observer();
      await redis.config('RESETSTAT');
      await add(replica);
      const stats = await redis.info('commandstats');
      const calls = [...stats.matchAll(/:calls=(\d+)/g)].map(([, count]) => Number(count));
      // A hash to stage it, and two events to add it.
      expect(calls.reduce((sum, count) => sum + count, 0)).to.be.below(3.2 * MANY);
    });
  }

  /** A large add that waits between staging its jobs and making them visible until it is released. */
  async function stagedAdd(
    jobs: readonly NewJob[] = plainJobs(),
  ): Promise<{ added: Promise<unknown>; release: () => void }> {
    const { replica, client } = await connect();
    const staged = closedGate();
    const released = closedGate();
    let runs = 0;
    throughGate(client, 'stage-jobs', async (run) => {
      const answer = await run();
      runs += 1;
      if (runs * STAGED_PER_RUN < MANY) return answer;
      staged.open();
      await released.opened;
      return answer;
    });
    const added = replica.queues.add(QUEUE, jobs);
    await Promise.race([staged.opened, added]);
    return {
      added,
      release: () => {
        released.open();
      },
    };
  }

  // holds: adding.large
  it('have no jobs under their numbers until they are visible', async () => {
    const { replica: other, client } = await connect();
    const { added, release } = await stagedAdd();
    const { queues, attempts, jobParts, jobScan, jobControl, flows, queueDirectory, groups } =
      other;
    const families = familyRemoving(client);
    for (const id of ['1', String(MANY)]) {
      expect(await queues.find(QUEUE, id)).to.equal(undefined);
      expect(await collected(queues.findEach(QUEUE, [id]))).to.deep.equal([]);
      expect(await queues.attempts(QUEUE, id)).to.equal(undefined);
      expect(await queues.logs(QUEUE, id, 0, 10)).to.equal(undefined);
      expect(await collected(jobParts.summaries(QUEUE, [id]))).to.deep.equal([]);
      expect(await jobParts.value(QUEUE, id, 'data')).to.equal(undefined);
      expect(await collected(jobScan.look(QUEUE, [id], []))).to.deep.equal([]);
      expect(await flows.node(QUEUE, id)).to.equal(undefined);
      for (const act of [
        () => jobControl.remove(QUEUE, id),
        () => jobControl.removeAlone(QUEUE, id),
        () => jobControl.retry(QUEUE, id, {}),
        () => jobControl.retry(QUEUE, id, { data: 'changed', opts: { priority: 1 } }),
        () => families.remove({ queue: QUEUE, id }, () => Promise.resolve({ kind: 'done' })),
        () => jobControl.promote(QUEUE, id),
        () => jobControl.change(QUEUE, id, { data: 'changed' }),
        () => jobControl.cancel(QUEUE, id, { reason: 'no more' }),
      ]) {
        expect(await act()).to.deep.equal({ kind: 'missing' });
      }
      const attempt = { jobId: id, token: randomUUID() };
      expect(await attempts.holds(QUEUE, attempt)).to.equal(false);
      expect(await attempts.addLog(QUEUE, attempt, 'line')).to.equal(false);
      expect(await attempts.reportProgress(QUEUE, attempt, 1)).to.equal(false);
    }
    await jobControl.bringTogether(QUEUE, ['1', String(MANY)]);
    expect(await countsOf(queues, QUEUE)).to.deep.equal(NO_JOBS);
    expect((await jobScan.oldest(QUEUE, ['waiting'], MANY)).total).to.equal(0);
    expect(await collected(groups.list(QUEUE, undefined))).to.deep.equal([]);
    expect(await pausedIn(queueDirectory, QUEUE)).to.equal(undefined);

    const [beside] = await queues.add(QUEUE, [jobOf({ delay: HOUR })]);
    expect(beside?.id).to.equal(String(MANY + 1));
    expect((await queues.find(QUEUE, String(MANY + 1)))?.state).to.equal('delayed');
    expect(await queues.find(QUEUE, '2')).to.equal(undefined);

    release();
    await added;
    expect(await queues.find(QUEUE, '1')).to.include({ state: 'waiting', data: 0 });
    expect(await countsOf(queues, QUEUE)).to.deep.equal({ ...NO_JOBS, waiting: MANY, delayed: 1 });
  });

  // holds: adding.large, add.atomic
  it('are discarded when they are staged for too long, and cannot become visible then', async () => {
    const redis = observer();
    const { added, release } = await stagedAdd();
    const refused = rejection(added);
    await discardLeft(redis);
    expect(await redis.keys('*')).to.deep.equal([COUNTER]);
    release();
    expect(await refused).to.include({ code: 'store-unavailable' });
    expect(await redis.keys('*')).to.deep.equal([COUNTER]);
  });

  // holds: adding.large, add.atomic
  it('stay when only their answer is lost', async () => {
    const { replica, client } = await connect();
    const { replica: other } = await connect();
    throughGate(client, 'add-staged', async (run) => {
      await run();
      throw new Error('Connection is closed.');
    });
    expect(await rejection(replica.queues.add(QUEUE, plainJobs()))).to.include({
      code: 'store-unavailable',
    });
    await discardLeft(observer());
    expect(await countsOf(other.queues, QUEUE)).to.deep.equal({ ...NO_JOBS, waiting: MANY });
    const ids = Array.from({ length: MANY }, (_, n) => String(n + 1));
    expect(await collected(other.queues.findEach(QUEUE, ids))).to.have.lengthOf(MANY);
  });

  // holds: adding.large
  it('hide the numbers of jobs that others stand for until these are discarded', async () => {
    const redis = observer();
    const { replica, client } = await connect();
    const gate = closedGate();
    throughGate(client, 'discard-staged', async (run) => {
      await gate.opened;
      return run();
    });
    const jobs = plainJobs().map((job, n) =>
      n % 3 === 0 ? job : jobOf({ deduplication: { id: `id-${n % 6}` } }, n),
    );
    await replica.queues.add(QUEUE, jobs);
    const stored = async (): Promise<string[]> =>
      (await redis.keys('bull:large:[0-9]*')).map((key) => key.replace('bull:large:', ''));
    expect(await stored()).to.have.lengthOf(MANY);
    const ids = Array.from({ length: MANY }, (_, n) => String(n + 1));
    const found = (await collected(replica.queues.findEach(QUEUE, ids))).map(({ id }) => id);
    expect(found).to.have.lengthOf(MANY / 3 + 4);
    gate.open();
    await discardLeft(redis);
    expect(await stored()).to.have.members(found);
    expect(await redis.keys('*staged*')).to.deep.equal([]);
  });

  // holds: adding.large
  it('leave a queue that is removed meanwhile the numbers that they have reserved', async () => {
    const { replica: other } = await connect();
    const { added, release } = await stagedAdd();
    await other.queues.add(QUEUE, [jobOf()]);
    expect(await other.queueControl.remove(QUEUE, false)).to.include({ kind: 'removed', jobs: 1 });
    const [later] = await other.queues.add(QUEUE, [jobOf()]);
    expect(Number(later?.id)).to.be.greaterThan(MANY);
    release();
    await added;
    expect(await countsOf(other.queues, QUEUE)).to.deep.equal({ ...NO_JOBS, waiting: MANY + 1 });
  });
});
