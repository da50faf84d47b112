import { hostname } from 'node:os';
import { expect } from 'chai';
import { answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

const JOB = { name: 'job', data: 1 };

/** Makes libraries and Node.js write lines of their own, on a signal. */
const LIBRARY = `
import { EventEmitter } from 'node:events';
process.on('SIGUSR2', () => {
  console.error('[WARN] %s is old', 'Redis');
  console.log('two\\nlines');
  const emitter = new EventEmitter();
  for (let n = 0; n < 11; n += 1) emitter.on('event', () => n);
  new Buffer(1);
});`;

describe('the log of the service', () => {
  const services = new StartedServices();
  let store: RedisServer;
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  beforeEach(async () => {
    store = await RedisServer.start();
  });
  afterEach(async () => {
    await context.cleanUp();
    await services.kill();
    await store.stop();
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await services.start({ STORE_URI: store.uri, ...environment });
  }

  /** Statuses of many requests at once, good and bad. */
  async function flood(): Promise<Set<number>> {
    const jobs = '/queues/flooded/jobs';
    const requests = Array.from({ length: 100 }, () => [
      service.call('POST', jobs, [JOB]),
      service.call('POST', jobs, [{ ...JOB, opts: { delay: 'x' } }]),
      service.call('GET', jobs, undefined, 'wrong'),
    ]);
    const answers = await Promise.all(requests.flat());
    return new Set(answers.map(({ status }) => status));
  }

  async function processes(): Promise<void> {
    const queue = context.newQueue();
    await context.register(queue, await context.newEndpoint(answer(200, 'done')));
    const [job] = await context.add(queue, JOB);
    expect((await context.finished(queue, job!.id)).returnvalue).to.equal('done');
  }

  // holds: security.log-lines
  it('is one JSON object per line, in all events and from every part of the process', async () => {
    const module = `data:text/javascript,${encodeURIComponent(LIBRARY)}`;
    await start({ NODE_OPTIONS: `--import=${module}` });
    service.signal('SIGUSR2');
    expect(await flood()).to.deep.equal(new Set([200, 400, 401]));
    await store.kill();
    expect(await flood()).to.deep.equal(new Set([503, 400, 401]));
    await store.restart();
    await eventually('the store is back', async () => (await flood()).has(200));
    await service.stop();

    for (const line of service.logs) {
      expect(line['time'], JSON.stringify(line)).to.match(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
      expect(line['level']).to.be.oneOf(['info', 'warn', 'error']);
      expect(line.message).to.be.a('string').and.not.to.equal('');
      expect(line['instance']).to.equal(`${hostname()}:${service.pid}`);
      if ('error' in line) expect(line['error']).to.have.property('message').that.is.a('string');
    }
    expect(service.errors).to.equal('');
    const said = service.logs.filter(({ message }) => message === 'A library wrote to the console');
    expect(said.map(({ level, text }) => [level, text])).to.deep.equal([
      ['error', '[WARN] Redis is old'],
      ['info', 'two\nlines'],
    ]);
    const warnings = service.logs.filter(({ message }) => message === 'Node.js warning');
    expect(warnings.map(({ warning }) => warning)).to.include.members([
      'MaxListenersExceededWarning',
      'DeprecationWarning',
    ]);
  }).timeout(40_000);

  // holds: security.log-instance
  it('names each process of WEB_CONCURRENCY as an instance of its own', async () => {
    await start({ WEB_CONCURRENCY: '2' });
    const queue = context.newQueue();
    await context.register(queue, await context.newEndpoint(answer(200, 'done')));
    const instances = await eventually('both processes have started the worker', () => {
      const started = service.logs.filter(({ message }) => message === 'Worker started');
      const names = new Set(started.map(({ instance }) => instance));
      return Promise.resolve(names.size === 2 && names);
    });
    expect([...instances]).not.to.include(`${hostname()}:${service.pid}`);
  }).timeout(40_000);

  for (const WEB_CONCURRENCY of ['1', '2']) {
    // holds: security.log-reader
    it(`may lose its reader without stopping the service, WEB_CONCURRENCY=${WEB_CONCURRENCY}`, async () => {
      await start({ WEB_CONCURRENCY });
      service.stopReading();
      await flood();
      await processes();
      await context.cleanUp();
      expect(await service.stop()).to.deep.equal({ code: 0, signal: null });
      expect(service.errors).to.equal('');
    }).timeout(40_000);
  }
});
