import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { JobJson } from '../../src/domain/jobs/job-json.ts';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** Starting, stopping and dying, with a store and replicas of its own. */
/** Stalled jobs are found in a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

describe('the life of the service', () => {
  let store: RedisServer;
  let endpoint: EndpointServer;
  const services: ServiceProcess[] = [];

  before(async () => {
    store = await RedisServer.start();
  });
  beforeEach(async () => {
    endpoint = await EndpointServer.start();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.kill()));
    await endpoint.close();
  });
  after(() => store.stop());

  async function start(environment: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.start({ STORE_URI: store.uri, ...environment });
    services.push(service);
    return service;
  }

  async function register(service: ServiceProcess, queue: string, opts = {}): Promise<void> {
    const worker = { queue, endpoint: { url: endpoint.url, method: 'post' }, opts };
    expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
  }

  async function add(service: ServiceProcess, queue: string, count = 1): Promise<string[]> {
    const jobs = Array.from({ length: count }, (_, data) => ({ name: 'job', data }));
    const { body } = await service.call('POST', `/queues/${queue}/jobs`, jobs);
    return (body as JobJson[]).map(({ id }) => id);
  }

  function finished(service: ServiceProcess, queue: string, id: string): Promise<JobJson> {
    return eventually(`job ${id} finishes`, async () => {
      const { body } = await service.call('GET', `/queues/${queue}/jobs/${id}`);
      return (body as JobJson).finishedOn !== undefined && (body as JobJson);
    });
  }

  // holds: service.restart, shutdown.kill
  it('keeps jobs and registered workers through a kill -9', async () => {
    const first = await start(QUICK);
    const ids = await add(first, 'survivors', 3);
    await register(first, 'elsewhere');
    await register(first, 'survivors', { concurrency: 1 });
    await endpoint.nextCall();
    await first.kill();
    const second = await start(QUICK);
    const { body } = await second.call('GET', '/workers');
    expect(body).to.deep.equal({ elsewhere: endpoint.url, survivors: endpoint.url });
    for (const id of ids) await finished(second, 'survivors', id);
  });

  // holds: states.stalled, shutdown.kill, settings.stalled-check
  it('takes over the job of a replica that was killed in the middle of it', async () => {
    const first = await start(QUICK);
    endpoint.respond = () => undefined;
    await register(first, 'orphans');
    const [id] = await add(first, 'orphans');
    await endpoint.nextCall();
    const second = await start(QUICK);
    endpoint.respond = answer(200, 'saved');
    await first.kill();
    expect((await finished(second, 'orphans', id!)).returnvalue).to.equal('saved');
  });

  // holds: worker-options.stalled-count, states.stalled-too-often
  it('fails a job whose replicas died more often than maxStalledCount', async () => {
    const first = await start(QUICK);
    endpoint.respond = () => undefined;
    await register(first, 'doomed', { maxStalledCount: 0 });
    const [id] = await add(first, 'doomed');
    await endpoint.nextCall();
    await first.kill();
    const second = await start(QUICK);
    const { failedReason } = await finished(second, 'doomed', id!);
    expect(failedReason).to.equal('job stalled more than allowable limit');
    expect(endpoint.calls).to.have.lengthOf(1);
  });

  // holds: shutdown.readiness, shutdown.graceful
  it('lets running calls finish on SIGTERM, takes nothing new, and ends with code 0', async () => {
    const service = await start();
    let release = (): void => undefined;
    endpoint.respond = (_call, response) => {
      release = () => response.end('finished');
    };
    await register(service, 'draining');
    const [first, second] = await add(service, 'draining', 2);
    await endpoint.nextCall();
    service.signal('SIGTERM');
    await service.logged('Stopping');
    await eventually('new requests are refused', () =>
      fetch(`${service.url}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    release();
    expect(await service.exited).to.deep.equal({ code: 0, signal: null });
    endpoint.respond = answer(200, 'later');
    const next = await start();
    expect((await finished(next, 'draining', first!)).returnvalue).to.equal('finished');
    const later = await finished(next, 'draining', second!);
    expect(later.attemptsStarted).to.equal(1);
  });

  // holds: shutdown.timeout
  it('puts a job that still runs at the deadline back, with its attempts unchanged', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT: '1000' });
    endpoint.respond = () => undefined;
    await register(service, 'deadline');
    const [id] = await add(service, 'deadline');
    const call = await endpoint.nextCall();
    service.signal('SIGTERM');
    expect(await call.answered).to.equal(false);
    expect((await service.exited).code).to.equal(1);
    endpoint.respond = answer(200);
    const next = await start();
    expect(await finished(next, 'deadline', id!)).to.deep.include({ attemptsMade: 1 });
  });

  it('ends at once on a second signal', async () => {
    const service = await start();
    endpoint.respond = () => undefined;
    await register(service, 'impatient');
    await add(service, 'impatient');
    await endpoint.nextCall();
    service.signal('SIGTERM');
    await service.logged('Stopping');
    await service.signalAgain('SIGTERM');
    expect((await service.exited).code).to.equal(1);
  });

  // holds: record.outage
  it('comes up while the store is down, answers 503, and heals', async () => {
    const later = await RedisServer.start();
    await later.kill();
    const service = await start({ STORE_URI: later.uri });
    const body = [{ name: 'a', data: 1 }];
    const down = await service.call('POST', '/queues/healing/jobs', body);
    expect(down.status).to.equal(503);
    expect(down.headers.get('retry-after')).to.equal('1');
    const ready = await fetch(`${service.url}/health/ready`);
    expect([ready.status, await ready.json()]).to.deep.equal([
      503,
      { status: 'unavailable', reason: 'The store is unavailable: connect ECONNREFUSED' },
    ]);
    expect((await fetch(`${service.url}/health/live`)).status).to.equal(200);
    await later.restart();
    await eventually('the service is ready', async () => {
      return (await fetch(`${service.url}/health/ready`)).status === 200;
    });
    await register(service, 'healing');
    const [id] = await add(service, 'healing');
    await finished(service, 'healing', id!);
    await later.stop();
  });

  // holds: replicas.concurrency
  it('shares workers, and their concurrency, with other replicas', async () => {
    const [first, second] = [await start(), await start()];
    let running = 0;
    let most = 0;
    endpoint.respond = async (_call, response) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      response.end();
    };
    await register(first, 'shared', { concurrency: 3 });
    await second.logged('Worker started');
    const ids = await add(second, 'shared', 60);
    await Promise.all(ids.map((id) => finished(first, 'shared', id)));
    expect(most).to.equal(3);
    expect(endpoint.calls).to.have.lengthOf(60);
    await first.call('DELETE', '/workers/shared');
    await second.logged('Worker stopped');
  });

  // holds: settings.all-mistakes
  it('prints every mistake of the configuration at once and ends with code 1', async () => {
    const { code, errors } = await ServiceProcess.run({
      PORT: 'eighty',
      STORE: 'disk',
      MAX_BODY_SIZE: '-1',
    });
    expect(code).to.equal(1);
    for (const name of ['PORT', 'STORE', 'MAX_BODY_SIZE']) {
      expect(errors).to.match(new RegExp(`^ *${name} must `, 'm'));
    }
    expect(errors).not.to.include('    at ');
  });

  it('says which port is taken', async () => {
    const port = new URL(endpoint.url).port;
    const { code, errors } = await ServiceProcess.run({ STORE: 'memory', PORT: port });
    expect(code).to.equal(1);
    expect(errors).to.include('EADDRINUSE').and.to.include(port).and.to.include('Set PORT ');
  });

  // holds: workers.listed, record.bad
  it('skips a corrupt record of a worker, says so, and runs the others', async () => {
    const redis = new Redis(store.uri);
    await redis.hset('jobgate:workers', 'broken-record', '{"queue":');
    await redis.hset('jobgate:workers', 'foreign-record', '{"queue":"foreign-record"}');
    redis.disconnect();
    const service = await start();
    await register(service, 'healthy');
    const [id] = await add(service, 'healthy');
    await finished(service, 'healthy', id!);
    const message = 'A stored worker is invalid and is skipped';
    await service.logged(message);
    const lines = service.logs.filter((line) => line.message === message);
    expect(Object.fromEntries(lines.map(({ queue, problem }) => [queue, problem]))).to.deep.equal({
      'broken-record': 'The record is not JSON',
      'foreign-record': 'endpoint must be an object',
    });
    const listed = (await service.call('GET', '/workers')).body;
    expect(listed).to.include.keys('healthy').and.not.to.include.keys('broken-record');
  });
});
