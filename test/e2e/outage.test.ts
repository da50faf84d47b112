import { expect } from 'chai';
import { answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

const WORKER = { queue: 'mail', endpoint: { url: 'http://127.0.0.1:9/', method: 'post' } };

const CALLS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/queues/mail/jobs', [{ name: 'job', data: 1 }]],
  ['GET', '/queues/mail/jobs'],
  ['GET', '/queues/mail/jobs/1'],
  ['GET', '/queues/mail/jobs/1/logs'],
  ['POST', '/workers', WORKER],
  ['GET', '/workers'],
  ['GET', '/workers/mail'],
  ['DELETE', '/workers/mail'],
  ['GET', '/health/ready'],
];

/** Has the form of a job token, so that only the store knows whether it is one. */
const JOB_TOKEN = 'A'.repeat(32);

/** Milliseconds: the two promised seconds, and as many for a busy machine. A call that hangs takes far longer. */
const PROMISED = 4000;

describe('a store that is away', () => {
  const services = new StartedServices();
  let store: RedisServer;
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  beforeEach(async () => {
    store = await RedisServer.start();
    service = await services.start({ STORE_URI: store.uri });
  });
  afterEach(async () => {
    await context.cleanUp();
    await services.kill();
    await store.stop();
  });

  /** Makes every call that needs the store, all at the same time. */
  async function expectUnavailable(): Promise<void> {
    const start = performance.now();
    const calls = CALLS.map(([method, path, body]) => service.call(method, path, body));
    for (const part of ['progress', 'logs']) {
      calls.push(service.call('POST', `/queues/mail/jobs/1/${part}`, 'x', JOB_TOKEN));
    }
    for (const [index, { status, headers }] of (await Promise.all(calls)).entries()) {
      expect([status, headers.get('retry-after')], `call ${String(index)}`).to.deep.equal([
        503,
        '1',
      ]);
    }
    expect(performance.now() - start).to.be.below(PROMISED);
    expect((await fetch(`${service.url}/health/live`)).status).to.equal(200);
  }

  async function heals(): Promise<void> {
    await eventually('the service is ready again', async () => {
      return (await fetch(`${service.url}/health/ready`)).status === 200;
    });
    const queue = context.newQueue();
    await context.register(queue, await context.newEndpoint(answer(200, 'done')));
    const [job] = await context.add(queue, { name: 'job', data: 1 });
    expect((await context.finished(queue, job!.id)).returnvalue).to.equal('done');
  }

  // holds: answers.unavailable
  it('because it stopped is reported as 503 within two seconds, until it is back', async () => {
    await store.kill();
    await expectUnavailable();
    await store.restart();
    await heals();
  });

  // holds: security.outage-log
  it('because it stopped has one log line for the start of each outage, and one for its end', async () => {
    const [lost, back] = [
      'The connection to the store is lost',
      'The connection to the store is back',
    ];
    const linesOf = (text: string | undefined) =>
      service.logs.filter(({ message }) => message === text);
    for (let outage = 1; outage <= 2; outage += 1) {
      await store.kill();
      await expectUnavailable();
      // It reconnects after a moment.
      await eventually('it is logged', () => Promise.resolve(linesOf(lost).length === outage));
      await store.restart();
      await heals();
      // The service may be ready before the last of its connections is back.
      await eventually('its end is logged', () => Promise.resolve(linesOf(back).length === outage));
    }
    const lines = service.logs.filter(({ message }) => message?.includes('store is') === true);
    expect(lines.map(({ message }) => message)).to.deep.equal([lost, back, lost, back]);
    for (const { error } of linesOf(lost)) {
      expect((error as { readonly message: string }).message).to.match(/ECONNRE(FUSED|SET)|EPIPE/);
    }
  });

  // holds: security.outage-log
  it('because it never started has one log line, with its address and what to do, until it is connected', async () => {
    await store.kill();
    service = await services.start({ STORE_URI: store.uri });
    await expectUnavailable();
    const [line, ...others] = service.logs.filter(({ level }) => level === 'warn');
    expect(others).to.deep.equal([]);
    expect(line).to.deep.include({
      message: 'The service cannot connect to the store',
      address: `127.0.0.1:${String(store.port)}`,
    });
    expect(line?.['hint']).to.include('STORE_URI').and.include('STORE=embedded');
    await store.restart();
    await heals();
    await service.logged('The store is connected');
    expect(service.logs.map(({ message }) => message)).not.to.include(
      'The connection to the store is back',
    );
  });

  // holds: answers.unavailable
  it('because it hangs is reported as 503 within two seconds, until it continues', async () => {
    process.kill(store.pid, 'SIGSTOP');
    try {
      await expectUnavailable();
    } finally {
      process.kill(store.pid, 'SIGCONT');
    }
    await heals();
  });
});
