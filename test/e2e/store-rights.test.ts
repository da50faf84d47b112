import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { RedisCluster } from '../support/redis/redis-cluster.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

const JOB = { name: 'job', data: 1 };

const TEXT = readFileSync(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8');

/** The rules for the user, as documented: `ACL SETUSER jobgate ...`. */
function documentedRules(): readonly string[] {
  const command = /ACL SETUSER jobgate ((?:.|\\\n)+?)\n```/.exec(TEXT)?.[1] ?? '';
  return command.replaceAll(/\\\n|'/g, '').split(/\s+/);
}

/** The rules that a cluster adds: `Redis Cluster also needs `...``. */
function documentedClusterRules(): readonly string[] {
  return /Redis Cluster also needs `([^`]+)`/.exec(TEXT)?.[1]?.split(' ') ?? [];
}

/** The service as the documented user, with real rights on a real server. */
describe('the rights that the service needs in Redis', () => {
  const services = new StartedServices();
  const rules = documentedRules();
  const closers: (() => Promise<unknown>)[] = [];
  let store: RedisServer;
  let admin: Redis;
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  beforeEach(async () => {
    store = await RedisServer.start();
    admin = new Redis(store.uri);
  });
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
    await context.cleanUp();
    await services.kill();
    admin.disconnect();
    await store.stop();
  });

  /**
   * Starts a replica that connects as a user with these rules.
   *
   * @param lock how long (ms) the locks of the replica last.
   */
  async function start(
    rights: readonly string[],
    { database = 0, lock = 1000 } = {},
  ): Promise<ServiceProcess> {
    await admin.call('ACL', 'SETUSER', 'jobgate', 'reset', ...rights);
    const STORE_URI = `redis://jobgate:password@127.0.0.1:${store.port}/${database}`;
    const shortWait = { LOCK_DURATION: String(lock), STALLED_INTERVAL: '500' };
    return services.start({ STORE_URI, ...shortWait, DEBUG: 'true' });
  }

  async function isReady(): Promise<boolean> {
    return (await fetch(`${service.url}/health/ready`)).ok;
  }

  // holds: security.store-rights
  it('are those of the documentation, for all that it does', async () => {
    expect(rules).to.have.lengthOf.above(5);
    service = await start(rules);
    await eventually('the replica is ready', isReady);

    const queue = context.newQueue();
    const endpoint = await context.newEndpoint((call, response) => {
      const { job } = call.body;
      if (job.data === 'fails') return answer(500, 'no')(call, response);
      return job.data === 'hangs' ? undefined : answer(200, 'done')(call, response);
    });
    const kept = { count: 5, age: 60 };
    await context.register(queue, endpoint, {
      opts: {
        concurrency: 5,
        limiter: { max: 100, duration: 1000 },
        removeOnComplete: kept,
        removeOnFail: kept,
      },
    });
    const jobs = await context.add(
      queue,
      JOB,
      { ...JOB, opts: { delay: 50, priority: 3 } },
      { ...JOB, opts: { lifo: true, jobId: 'own' } },
      { ...JOB, data: 'fails', opts: { attempts: 3, backoff: { type: 'linear', delay: 20 } } },
      { ...JOB, data: 'fails', opts: { attempts: 2 } },
    );
    for (const { id } of jobs) await context.finished(queue, id);
    expect((await context.call('GET', `/queues/${queue}/jobs?length=100`)).status).to.equal(200);

    // A call that reports. Then its replica dies, and the next one finds the job stalled.
    const [hanging] = await context.add(queue, { ...JOB, data: 'hangs' });
    const path = `/queues/${queue}/jobs/${hanging!.id}`;
    const call = await eventually('the call', () =>
      Promise.resolve(endpoint.calls.find(({ body }) => body.job.data === 'hangs')),
    );
    for (const [what, value] of [
      ['progress', 50],
      ['logs', 'a line'],
    ] as const) {
      const { status } = await context.call('POST', `${path}/${what}`, value, call.body.token);
      expect(status).to.equal(200);
    }
    expect((await context.call('GET', `${path}/logs`)).body).to.deep.include({ count: 1 });
    endpoint.respond = answer(200, 'done');
    await service.kill();
    // Its own locks outlast any pause of a busy machine.
    service = await start(rules, { lock: 10_000 });
    expect(await context.finished(queue, hanging!.id)).to.include({ returnvalue: 'done' });

    // The work that native clients leave to the service.
    const native = new Queue(queue, { connection: { url: store.uri } });
    closers.push(() => native.close());
    await native.pause();
    const [paused] = await context.add(queue, JOB);
    await native.resume();
    await context.finished(queue, paused!.id);
    await native.upsertJobScheduler('ticks', { every: 100, limit: 3 }, { name: 'tick' });
    await eventually('the jobs of the scheduler complete', async () => {
      const completed = await native.getCompleted();
      return completed.filter(({ name }) => name === 'tick').length === 3;
    });
    const other = context.newQueue();
    await context.add(other, JOB);
    const worker = new Worker(other, () => Promise.resolve('native'), {
      connection: { url: store.uri },
    });
    closers.push(() => worker.close());
    await context.finished(other, '1');

    for (const path of ['/workers', '/queues?discover=true']) {
      expect((await context.call('GET', path)).status).to.equal(200);
    }
    expect((await context.call('DELETE', `/workers/${queue}`)).status).to.equal(200);
    const removal = `/queues/${queue}?confirm=${queue}&force=true`;
    expect((await context.call('DELETE', removal)).status).to.equal(200);
    expect(await admin.call('ACL', 'LOG')).to.deep.equal([]);
    await context.cleanUp();
    expect((await service.stop()).code).to.equal(0);
    const troubles = service.logs.filter(({ level }) => level === 'error' || level === 'warn');
    expect(troubles.map(({ message }) => message)).to.deep.equal(['Job stalled']);
  }).timeout(60_000);

  // holds: security.store-rights
  it('are enough for a database of its own', async () => {
    service = await start(rules, { database: 3 });
    await eventually('the replica is ready', isReady);
    expect(await admin.call('ACL', 'LOG')).to.deep.equal([]);
  });

  // holds: security.store-rights
  it('are, in a cluster, those that the documentation adds for it', async () => {
    const nodes = await RedisCluster.start(3);
    try {
      const prefix = '{jobgate}';
      const rights = rules.map((rule) => rule.replace('~bull:', `~${prefix}:`));
      const more = documentedClusterRules();
      expect(more).not.to.deep.equal([]);
      for (const { uri } of nodes.nodes) {
        const node = new Redis(uri);
        await node.call('ACL', 'SETUSER', 'jobgate', 'reset', ...rights, ...more);
        await node.call('ACL', 'SETUSER', 'default', 'off');
        node.disconnect();
      }
      service = await services.start({
        STORE_CLUSTER_NODES: nodes.addresses.join(','),
        STORE_USERNAME: 'jobgate',
        STORE_PASSWORD: 'password',
        QUEUE_PREFIX: prefix,
      });
      const queue = context.newQueue();
      await context.register(queue, await context.newEndpoint(answer(200, 'done')));
      const [job] = await context.add(queue, JOB);
      expect(await context.finished(queue, job!.id)).to.include({ returnvalue: 'done' });
      await eventually('the replica is ready', isReady);
      expect(service.logs.filter(({ level }) => level !== 'info')).to.deep.equal([]);
      await context.cleanUp();
    } finally {
      await services.kill();
      await nodes.stop();
    }
  }).timeout(60_000);

  // holds: security.store-rights
  it('are all needed: a replica whose user lacks one is not ready, or its log says so', async () => {
    service = await start(rules);
    const change = async (rights: readonly string[]): Promise<void> => {
      await admin.call('ACL', 'SETUSER', 'jobgate', 'reset', ...rights);
      await admin.call('CLIENT', 'KILL', 'USER', 'jobgate');
    };
    for (const rule of [
      '~bull:*',
      '~jobgate:workers',
      '+@read',
      '+@write',
      '+@scripting',
      '+time',
    ]) {
      expect(rules).to.include(rule);
      await change(rules.filter((each) => each !== rule));
      await eventually(`the replica is not ready without ${rule}`, async () => !(await isReady()));
      await change(rules);
      await eventually(`the replica is ready with ${rule} again`, isReady);
    }
    for (const rule of ['&jobgate:workers:*', '+@pubsub']) {
      expect(rules).to.include(rule);
      const told = service.logs.length;
      await change(rules.filter((each) => each !== rule));
      await eventually(`the log tells what is missing without ${rule}`, () =>
        Promise.resolve(
          service.logs
            .slice(told)
            .some(
              ({ message }) => message === 'Subscribing to the signals of other replicas failed',
            ),
        ),
      );
    }
  }).timeout(60_000);
});
