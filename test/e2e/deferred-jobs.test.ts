import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { heldBy, LOOKED_INTO, type Held } from '../support/looked-into.ts';
import { MetricsPage } from '../support/metrics-page.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { rounds } from '../support/lane.ts';

const JOBS = rounds(10_000, 3000);
const PER_ADD = 1000;

/** How much any count of a replica may vary by chance. */
const SOME = 100;

/** Bytes: as much as a timer and its closure take. */
const PER_JOB = 500;

/** Milliseconds: long enough for locks to run out, for several renewals, and for checks for stalled jobs. */
const LOCK_DURATION = 1000;
const LOCKS = 2;

const QUEUE = 'deferred';

interface State extends Held {
  readonly storeConnections: number;
  /** What the store did while locks would have run out, including in scripts. */
  readonly commands: number;
}

describe(`${JOBS} jobs that their endpoint accepted`, () => {
  const services = new StartedServices();
  let store: RedisServer;
  let admin: Redis;
  let endpoint: EndpointServer;
  let one: ServiceProcess;

  before(async () => {
    store = await RedisServer.start();
    admin = new Redis(store.uri);
    endpoint = await EndpointServer.start((_call, response) => {
      response.writeHead(202).end();
    });
    one = await services.start({
      STORE_URI: store.uri,
      LOCK_DURATION: String(LOCK_DURATION),
      STALLED_INTERVAL: String(LOCK_DURATION / 2),
      ...LOOKED_INTO,
    });
  });
  after(async () => {
    await services.kill();
    await endpoint.close();
    admin.disconnect();
    await store.stop();
  });

  const commands = async (): Promise<number> =>
    Number(/total_commands_processed:(\d+)/.exec(await admin.info('stats'))?.[1]);

  const connections = async (): Promise<number> => {
    const clients = (await admin.client('LIST')) as string;
    return clients.trim().split('\n').length;
  };

  const state = async (): Promise<State> => {
    endpoint.dropIdle();
    await eventually('no call is left', async () => (await endpoint.connections()) === 0);
    const before = await commands();
    await sleep(LOCKS * LOCK_DURATION);
    const during = (await commands()) - before;
    return { ...(await heldBy(one)), storeConnections: await connections(), commands: during };
  };

  const add = async (count: number): Promise<void> => {
    const jobs = Array.from({ length: count }, () => ({ name: 'report', data: null }));
    expect((await one.call('POST', `/queues/${QUEUE}/jobs`, jobs)).status).to.equal(200);
  };

  /** Resolves when that many calls are over and their outcomes are stored. */
  const accepted = async (count: number): Promise<void> => {
    const called = () => Promise.resolve(endpoint.calls.length === count);
    await eventually('the endpoint is called', called, 60_000);
    await eventually('the jobs are accepted', async () => {
      const page = new MetricsPage((await one.call('GET', '/metrics')).body as string);
      return page.by('queue', 'jobgate_call_seconds_count')[QUEUE] === count;
    });
  };

  const complete = async (service: ServiceProcess, position: number): Promise<void> => {
    const { job, token } = endpoint.calls[position]!.body;
    const path = `/queues/${QUEUE}/jobs/${job.id}`;
    expect((await service.call('POST', `${path}/complete`, position, token)).status).to.equal(200);
    const { body } = await service.call('GET', path);
    expect(body).to.include({ state: 'completed', returnvalue: position });
  };

  // holds: deferred.nothing-held, deferred.accept
  it('take no timers, connections, memory or renewals of their replica, and outlive it', async () => {
    const worker = {
      queue: QUEUE,
      endpoint: { url: endpoint.url, method: 'post', accepted: 'defer' },
      opts: { concurrency: 2 * JOBS },
    };
    expect((await one.call('POST', '/workers', worker)).status).to.equal(200);
    await add(PER_ADD);
    await accepted(PER_ADD);
    const few = await state();
    for (let added = PER_ADD; added < JOBS; added += PER_ADD) await add(PER_ADD);
    await accepted(JOBS);
    const many = await state();
    for (const name of ['timers', 'sockets', 'storeConnections', 'commands'] as const) {
      expect(many[name], name).to.be.below(few[name] + SOME);
    }
    expect(many.heap - few.heap).to.be.below((JOBS - PER_ADD) * PER_JOB);

    await one.kill();
    const other = await services.start({ STORE_URI: store.uri });
    const completed = [0, JOBS / 2, JOBS - 1];
    for (const position of completed) await complete(other, position);
    const { body } = await other.call('GET', `/queues/${QUEUE}`);
    const left = JOBS - completed.length;
    expect(body).to.deep.nested.include({
      'counts.active': left,
      'counts.completed': completed.length,
    });
    expect(endpoint.calls).to.have.lengthOf(JOBS);
  }).timeout(120_000);
});
