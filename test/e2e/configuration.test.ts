import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { CalledService } from '../support/called-service.ts';
import { answer } from '../support/endpoint-server.ts';
import { InProcessService } from '../support/in-process-service.ts';
import { freePort } from '../support/redis/free-port.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServicesOfTest, StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

const MEMORY = { STORE: 'memory' };
const JOB = { name: 'job', data: 1 };

/** What each variable changes in the running service (specification, "Configuration"). */
describe('the configuration in effect', () => {
  const processes = new StartedServices();
  const services = new ServicesOfTest(InProcessService);
  let service: CalledService;
  const context = new ServiceContext(() => service);

  afterEach(async () => {
    await context.cleanUp();
    await Promise.all([processes.kill(), services.kill()]);
  });

  // holds: service.port, variables.port
  it('PORT is the port that it listens on', async () => {
    const port = String(await freePort());
    await processes.start({ ...MEMORY, PORT: port });
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).to.equal(200);
  });

  // holds: variables.auth-tokens
  it('AUTH_TOKENS are all accepted, without the blanks around them, and nothing else is', async () => {
    service = await services.start({ ...MEMORY, AUTH_TOKENS: ' one, two ,,' });
    const statuses = ['one', 'two', 'three', '', ',', 'one,two'].map(
      async (token) => (await service.call('GET', '/workers', undefined, token)).status,
    );
    expect(await Promise.all(statuses)).to.deep.equal([200, 200, 401, 401, 401, 401]);
  });

  // holds: tokens.none
  it('without AUTH_TOKENS every request is refused, and the log says so once', async () => {
    const started = await processes.start({ ...MEMORY, AUTH_TOKENS: ' , ' });
    for (const token of ['test-token', '', ',']) {
      expect((await started.call('GET', '/workers', undefined, token)).status).to.equal(401);
    }
    const lines = started.logs.filter(({ message }) => message?.includes('AUTH_TOKENS'));
    expect(lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ['warn', 'AUTH_TOKENS is not set: every request will be answered with 401'],
    ]);
  });

  // holds: variables.queue-name-length
  it('MIN_QUEUE_NAME_LENGTH and MAX_QUEUE_NAME_LENGTH bound the names of queues', async () => {
    const limits = { MIN_QUEUE_NAME_LENGTH: '2', MAX_QUEUE_NAME_LENGTH: '5' };
    service = await services.start({ ...MEMORY, ...limits });
    const words = 'must be a string of 2 to 5 characters without ":" or control characters';
    for (const [queue, status] of [
      ['a', 400],
      ['ab', 200],
      ['abcde', 200],
      ['abcdef', 400],
    ] as const) {
      const added = await service.call('POST', `/queues/${queue}/jobs`, [JOB]);
      const endpoint = { url: 'http://127.0.0.1:9/', method: 'post' };
      const registered = await service.call('POST', '/workers', { queue, endpoint });
      expect([added.status, registered.status], queue).to.deep.equal([status, status]);
      if (status === 200) continue;
      expect([added.body, registered.body]).to.deep.equal([
        `queue name ${words}`,
        `queue ${words}`,
      ]);
    }
  });

  // holds: variables.debug
  it('DEBUG turns on the details of the log', async () => {
    for (const [environment, debug] of [
      [{ DEBUG: 'true' }, true],
      [{ DEBUG: 'false' }, false],
      [{}, false],
    ] as const) {
      const started = await processes.start({ ...MEMORY, ...environment });
      await started.call('GET', '/workers');
      await started.call('GET', '/nowhere');
      await started.stop();
      const levels = started.logs.map(({ level }) => level);
      expect(levels).to.include('info');
      expect(levels.includes('debug')).to.equal(debug);
    }
  });

  // holds: security.mistaken-variable
  it('names what was probably meant, and starts', async () => {
    const started = await processes.start({
      ...MEMORY,
      AUTH_TOKEN: 'secret-token',
      AUTH_TOKENS: '',
    });
    const line = await started.logged(
      'AUTH_TOKEN is not a variable of jobgate, is AUTH_TOKENS meant?',
    );
    expect(line).to.include({ level: 'warn', variable: 'AUTH_TOKEN', meant: 'AUTH_TOKENS' });
    expect(JSON.stringify(started.logs)).not.to.contain('secret-token');
  });

  // holds: answers.too-large
  it('MAX_BODY_SIZE is the size of the largest body', async () => {
    service = await services.start({ ...MEMORY, MAX_BODY_SIZE: '1kb' });
    const jobs = (size: number): unknown => [{ ...JOB, data: 'x'.repeat(size) }];
    expect((await service.call('POST', '/queues/mail/jobs', jobs(900))).status).to.equal(200);
    const refused = await service.call('POST', '/queues/mail/jobs', jobs(1024));
    expect(refused).to.deep.include({
      status: 413,
      body: 'The request body must be of at most 1024 bytes',
    });
  });

  // holds: delivery.max-size, delivery.default-timeout
  it('DEFAULT_ENDPOINT_TIMEOUT and MAX_RESPONSE_SIZE bound a call', async () => {
    const limits = { DEFAULT_ENDPOINT_TIMEOUT: '150', MAX_RESPONSE_SIZE: '100' };
    service = await services.start({ ...MEMORY, ...limits });
    for (const [respond, reason] of [
      [() => undefined, 'Endpoint call timed out after 150 ms'],
      [answer(200, 'x'.repeat(101)), 'Endpoint answer exceeds 100 bytes'],
    ] as const) {
      const queue = context.newQueue();
      await context.register(queue, await context.newEndpoint(respond));
      const [job] = await context.add(queue, JOB);
      expect((await context.finished(queue, job!.id)).failedReason).to.equal(reason);
    }
  });

  describe('with Redis', () => {
    let store: RedisServer;

    before(async () => {
      store = await RedisServer.start();
    });
    after(() => store.stop());

    // holds: service.restart, service.qualified-name, variables.queue-prefix
    // holds: variables.worker-metadata-key
    it('QUEUE_PREFIX begins every key of a queue, WORKER_METADATA_KEY holds the workers', async () => {
      const names = { QUEUE_PREFIX: 'shop', WORKER_METADATA_KEY: 'shop-workers' };
      const redis = new Redis(store.uri);
      // A command on any other key is refused, even on a short-lived one.
      const rights = ['on', '>secret', '~shop:*', '~shop-workers', '&shop-workers:*', '+@all'];
      await redis.call('ACL', 'SETUSER', 'shop', ...rights);
      try {
        const STORE_URI = store.uri.replace('//', '//shop:secret@');
        service = await services.start({ STORE_URI, ...names });
        const queue = context.newQueue();
        const endpoint = await context.newEndpoint(answer(200, 'done'));
        await context.register(queue, endpoint, { opts: { concurrency: 2 } });
        const jobs = await context.add(queue, JOB, { ...JOB, opts: { delay: 50, priority: 5 } });
        for (const { id } of jobs) {
          const finished = await context.finished(queue, id);
          expect(finished.queueQualifiedName).to.equal(`shop:${queue}`);
        }
        const keys = await redis.keys('*');
        expect(keys).to.include.members([`shop:${queue}:${jobs[0]!.id}`, 'shop-workers']);
        const record = JSON.parse((await redis.hget('shop-workers', queue)) ?? '') as object;
        expect(record).to.deep.include({ queue, opts: { concurrency: 2 } });
        const denied = (await redis.call('ACL', 'LOG')) as unknown[];
        expect(denied).to.deep.equal([]);
      } finally {
        redis.disconnect();
      }
    });

    // holds: variables.queue-cache-size
    it('QUEUE_CACHE_SIZE bounds only the cache: one entry serves many queues', async () => {
      service = await services.start({ STORE_URI: store.uri, QUEUE_CACHE_SIZE: '1' });
      const endpoint = await context.newEndpoint(answer(200, 'done'));
      const queues = Array.from({ length: 20 }, () => context.newQueue());
      await Promise.all(queues.map((queue) => context.register(queue, endpoint)));
      const results = queues.map(async (queue) => {
        const [job] = await context.add(queue, { ...JOB, data: queue });
        return context.finished(queue, job!.id);
      });
      for (const [index, job] of (await Promise.all(results)).entries()) {
        const queue = queues[index];
        expect(job).to.include({ data: queue, returnvalue: 'done' });
        expect(job.queueQualifiedName).to.equal(`bull:${String(queue)}`);
      }
      expect(endpoint.calls).to.have.lengthOf(20);
    });
  });
});
