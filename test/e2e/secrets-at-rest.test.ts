import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { answer } from '../support/endpoint-server.ts';
import { encryptionKey, encryptionKeysText } from '../support/encryption-key.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

const HEADER = 'secret-of-the-endpoint';
const [OLD, NEW] = [encryptionKey('2026a'), encryptionKey('2026b')];
const PROGRAM = join(import.meta.dirname, '../..', ServiceProcess.program);

describe('secrets at rest', () => {
  const services = new StartedServices();
  let store: RedisServer;
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  const start = async (...keys: (typeof OLD)[]) => {
    await services.kill();
    const ENCRYPTION_KEYS = encryptionKeysText(...keys);
    service = await services.start({ STORE_URI: store.uri, ENCRYPTION_KEYS });
  };

  before(async () => {
    store = await RedisServer.start();
  });
  after(async () => {
    await context.cleanUp();
    await services.kill();
    await store.stop();
  });

  /** Everything in the store, as text. DUMP returns values of all types, short ones as they are. */
  async function dump(): Promise<string> {
    const redis = new Redis(store.uri);
    const parts: string[] = [];
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key);
      const value = type === 'hash' ? JSON.stringify(await redis.hgetall(key)) : '';
      // A key that expires meanwhile holds nothing any more.
      const dumped = (await redis.dumpBuffer(key)) as Buffer | null;
      parts.push(key, value, dumped?.toString('latin1') ?? '');
    }
    redis.disconnect();
    return parts.join('\n');
  }

  // holds: destinations.secrets
  it('leave no header value of a destination in the store, and call none without its key', async () => {
    await start(OLD);
    const endpoint = await context.newEndpoint(answer(200));
    const queue = context.newQueue();
    const { url } = endpoint;
    await context.call('PUT', `/queues/${queue}/policy`, {
      endpoints: { origins: [endpoint.origin] },
    });
    const opts = { endpoint: { url, headers: { Authorization: HEADER } } };
    const job = { name: 'job', data: 1, opts };
    const register = () =>
      context.call('POST', '/workers', { queue, endpoint: { url: null, method: 'post' } });
    await register();
    const [first] = await context.add(queue, job);
    await context.finished(queue, first!.id);
    expect((await endpoint.nextCall()).headers).to.include({ authorization: HEADER });
    await context.call('DELETE', `/workers/${queue}`);
    const [second] = await context.add(queue, job);
    await context.call('POST', '/flows', { ...job, queue, children: [{ ...job, queue }] });
    await context.call('PUT', `/queues/${queue}/schedulers/often`, {
      repeat: { every: 86_400_000 },
      job,
    });
    const text = await dump();
    expect(text).to.contain(endpoint.origin).and.not.to.contain(HEADER);
    await context.call('DELETE', `/queues/${queue}/schedulers/often`);
    await start(NEW);
    await register();
    const failed = await context.finished(queue, second!.id);
    const failedReason = 'Secret cannot be read (key 2026a is missing)';
    expect(failed).to.include({ state: 'failed', failedReason });
    expect(endpoint.calls).to.have.lengthOf(1);
    await context.call('DELETE', `/workers/${queue}`);
  });

  // holds: secrets-at-rest.encrypted, secrets-at-rest.rewrap, secrets-at-rest.wrong-key
  it('leave no header value and no secret in the store, even through a change of keys', async () => {
    await start(OLD);
    const endpoint = await context.newEndpoint(answer(200));
    const queue = context.newQueue();
    const worker = {
      queue,
      endpoint: {
        url: endpoint.url,
        method: 'post',
        headers: { Authorization: HEADER },
        signing: true,
      },
    };
    const registered = await context.call('POST', '/workers', worker);
    const rotated = await context.call('POST', `/workers/${queue}/rotate-secret`);
    const secrets = [registered, rotated].map(({ body }) => (body as { secret: string }).secret);
    const [job] = await context.add(queue, { name: 'job', data: 1 });
    const { headers } = await endpoint.nextCall();
    expect(headers).to.include({ authorization: HEADER });
    expect(String(headers['webhook-signature']).split(' ')).to.have.lengthOf(2);
    await context.finished(queue, job!.id);
    const hasNone = (text: string): void => {
      expect(text).to.contain(queue);
      for (const secret of [HEADER, 'whsec_', ...secrets.map((each) => each.slice(6))]) {
        expect(text).not.to.contain(secret);
        expect(text).not.to.contain(Buffer.from(secret).toString('base64'));
      }
    };
    hasNone(await dump());

    const another = encryptionKeysText(encryptionKey('2026a', 'another'));
    const wrong = await ServiceProcess.run({ STORE_URI: store.uri, ENCRYPTION_KEYS: another });
    expect(wrong.code).to.equal(1);
    expect(wrong.errors).to.contain('ENCRYPTION_KEYS: the key 2026a is not the one');

    const proxy = await CuttingProxy.start(store.port);
    proxy.freeze();
    const early = await services.start({
      STORE_URI: `redis://127.0.0.1:${proxy.port}`,
      ENCRYPTION_KEYS: another,
    });
    proxy.thaw();
    expect((await early.exited).code).to.equal(1);
    expect(JSON.stringify(early.logs)).to.contain('ENCRYPTION_KEYS: the key 2026a is not the one');
    await proxy.close();

    await start(NEW, OLD);
    const env = {
      PATH: process.env['PATH'],
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: ServiceProcess.token,
    };
    const run = promisify(execFile);
    const rewrap = (...args: string[]) =>
      run(process.execPath, [PROGRAM, 'secrets', 'rewrap', ...args], { env });
    expect((await rewrap('--dry-run')).stdout).to.equal('Would rewrap 3 secrets\n2026a: 3\n');
    expect((await rewrap()).stdout).to.equal('Rewrapped 3 secrets\n2026b: 3\n');
    hasNone(await dump());

    await start(NEW);
    await context.add(queue, { name: 'job', data: 2 });
    expect((await endpoint.nextCall()).headers).to.include({ authorization: HEADER });
  });

  // holds: secrets-at-rest.place, secrets-at-rest.one-worker
  it('go to nobody who writes another URL into the store, and keep no replica from starting', async () => {
    await start(NEW);
    const [owner, thief] = [await context.newEndpoint(answer(200)), await context.newEndpoint()];
    const [robbed, other] = [context.newQueue(), context.newQueue()];
    for (const queue of [robbed, other]) {
      const headers = { Authorization: HEADER };
      const endpoint = { url: owner.url, method: 'post', headers, signing: true };
      await context.call('POST', '/workers', { queue, endpoint });
    }
    const redis = new Redis(store.uri);
    const record = await redis.hget('jobgate:workers', robbed);
    await redis.hset('jobgate:workers', robbed, record!.replaceAll(owner.url, thief.url));
    redis.disconnect();
    await start(NEW);
    const { body } = await context.call('GET', `/workers/${robbed}/health`);
    const reason = 'Secret cannot be read (key 2026b does not open it)';
    expect(body).to.deep.include({ state: 'disabled', reason });
    await context.add(robbed, { name: 'job', data: 1 });
    const [job] = await context.add(other, { name: 'job', data: 2 });
    await context.finished(other, job!.id);
    expect((await owner.nextCall()).headers).to.include({ authorization: HEADER });
    expect(thief.calls).to.deep.equal([]);
  });
});
