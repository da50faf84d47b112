import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { selfSignedCertificate } from '../support/certificate.ts';
import type { CalledService } from '../support/called-service.ts';
import { answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { InProcessService } from '../support/in-process-service.ts';
import { isSlowLane } from '../support/lane.ts';
import { freePort } from '../support/redis/free-port.ts';
import { RedisSentinel } from '../support/redis/redis-sentinel.ts';
import { RedisServer, type RedisServerOptions } from '../support/redis/redis-server.ts';
import { ServicesOfTest, StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

const JOB = { name: 'job', data: 1 };

const HOST = { STORE_HOST: '127.0.0.1' };

/**
 * The ways to reach a store, each against a real one (specification, "Configuration"); a cluster has a
 * suite of its own.
 */
describe('access to the store', () => {
  const loggedServices = new StartedServices();
  const services = new ServicesOfTest(InProcessService);
  const stores: { stop(): Promise<void> }[] = [];
  let service: CalledService;
  const context = new ServiceContext(() => service);

  afterEach(async () => {
    await context.cleanUp();
    await Promise.all([loggedServices.kill(), services.kill()]);
    await Promise.all(stores.splice(0).map((store) => store.stop()));
  });

  function own<Store extends { stop(): Promise<void> }>(store: Store): Store {
    stores.push(store);
    return store;
  }

  async function redis(settings: RedisServerOptions['settings'] = {}): Promise<RedisServer> {
    return own(await RedisServer.start({ settings }));
  }

  /** Has a job processed, which uses every kind of connection that the service makes. */
  async function processes(): Promise<void> {
    const queue = context.newQueue();
    await context.register(queue, await context.newEndpoint(answer(200, 'done')));
    const [job] = await context.add(queue, { name: 'job', data: 1 });
    expect((await context.finished(queue, job!.id)).returnvalue).to.equal('done');
    expect((await fetch(`${service.url}/health/ready`)).status).to.equal(200);
  }

  async function worksWith(environment: Readonly<Record<string, string>>): Promise<void> {
    service = await services.start(environment);
    await processes();
  }

  // holds: variables.store-host
  it('uses STORE_HOST and STORE_PORT', async () => {
    const { port } = await redis();
    await worksWith({ ...HOST, STORE_PORT: String(port) });
  });

  // holds: variables.store-password
  it('uses STORE_PASSWORD', async () => {
    const { port } = await redis({ requirepass: 'open sesame' });
    await worksWith({ ...HOST, STORE_PORT: String(port), STORE_PASSWORD: 'open sesame' });
  });

  // holds: variables.store-username
  it('uses STORE_USERNAME', async () => {
    const { port, uri } = await redis();
    await allowOnly(uri, 'gate', 's@cret');
    const credentials = { STORE_USERNAME: 'gate', STORE_PASSWORD: 's@cret' };
    await worksWith({ ...HOST, STORE_PORT: String(port), ...credentials });
  });

  // holds: variables.store-uri
  it('uses the user and the database of STORE_URI', async () => {
    const { port, uri } = await redis();
    await allowOnly(uri, 'gate', 's@cret');
    await worksWith({ STORE_URI: `redis://gate:s%40cret@127.0.0.1:${String(port)}/3` });
    const client = new Redis(port, { username: 'gate', password: 's@cret' });
    const keyspace = await client.info('keyspace');
    client.disconnect();
    expect(keyspace)
      .to.match(/db3:keys=/)
      .and.not.match(/db0:/);
  });

  // holds: variables.store-password
  it('is refused with a wrong password: the service answers 503 and is not ready', async () => {
    const { port } = await redis({ requirepass: 'right' });
    const environment = { ...HOST, STORE_PORT: String(port), STORE_PASSWORD: 'wrong' };
    service = await services.start(environment);
    expect((await service.call('GET', '/workers')).status).to.equal(503);
    expect((await fetch(`${service.url}/health/ready`)).status).to.equal(503);
  });

  const refusals = [
    ['a database that does not exist', '', '/99', /SELECT was refused: DB index is out of range/],
    ['a user who may not select a database', 'gate:secret@', '/3', /SELECT was refused/],
    ['a password that the store does not ask for', ':password@', '', /AUTH was refused/],
    ['a wrong password, where others need none', 'gate:wrong@', '', /AUTH was refused/],
  ] as const;
  // Everyday, one of the refusals of SELECT and one of AUTH.
  for (const [what, login, database, reason] of refusals.filter(
    (_, n) => isSlowLane || n % 2 === 1,
  )) {
    // holds: security.refused-connection
    it(`is refused with ${what}: nothing is stored anywhere, and the log says why`, async () => {
      const { port, uri } = await redis();
      await setUser(uri, '-select');
      const STORE_URI = `redis://${login}127.0.0.1:${String(port)}${database}`;
      const started = await loggedServices.start({ STORE_URI });
      service = started;
      const worker = { queue: 'mail', endpoint: { url: 'http://127.0.0.1:9/', method: 'post' } };
      expect((await service.call('POST', '/workers', worker)).status).to.equal(503);
      expect((await service.call('POST', '/queues/mail/jobs', [JOB])).status).to.equal(503);
      const ready = await fetch(`${service.url}/health/ready`);
      expect([ready.status, await ready.json()])
        .to.have.nested.property('[1].reason')
        .that.matches(/^The store is unavailable: /)
        .and.matches(reason);
      const line = await started.logged('The service cannot connect to the store');
      expect(line['error']).to.have.property('message').that.matches(reason);
      expect(started.logs.filter(({ message }) => message === 'The store is unavailable')).to.be
        .empty;
      const admin = new Redis(port);
      expect(await admin.info('keyspace')).not.to.match(/keys=/);
      admin.disconnect();
    });
  }

  // holds: security.refused-connection
  it('begins as soon as the user may select the database', async () => {
    const { port, uri } = await redis();
    await setUser(uri, '-select');
    const started = await loggedServices.start({
      STORE_URI: `redis://gate:secret@127.0.0.1:${String(port)}/3`,
    });
    service = started;
    expect((await service.call('GET', '/workers')).status).to.equal(503);
    await setUser(uri, '+select');
    await eventually('the service is ready', async () => {
      return (await fetch(`${service.url}/health/ready`)).status === 200;
    });
    await started.logged('The store is connected');
    await processes();
  });

  it('works for a user who may not use INFO, without output other than log lines', async () => {
    const { port, uri } = await redis();
    await setUser(uri, '-info');
    const STORE_URI = `redis://gate:secret@127.0.0.1:${String(port)}`;
    const started = await loggedServices.start({ STORE_URI });
    service = started;
    await processes();
    expect(started.errors).to.equal('');
  });

  // holds: security.store-refusals
  it('is refused to a user who may not run scripts: the log says why once, and repeats no job', async () => {
    const { port, uri } = await redis();
    await setUser(uri, '-@scripting');
    const started = await loggedServices.start({
      STORE_URI: `redis://gate:secret@127.0.0.1:${String(port)}`,
    });
    service = started;
    const jobs = [{ name: 'secret-name', data: 'secret-data' }];
    for (let time = 0; time < 5; time += 1) {
      expect((await service.call('POST', '/queues/mail/jobs', jobs)).status).to.equal(503);
      expect((await fetch(`${service.url}/health/ready`)).status).to.equal(503);
    }
    const causes = started.logs.filter(({ message }) => message === 'The store is unavailable');
    const texts = causes.map((line) => (line['error'] as { message: string }).message);
    expect(texts)
      .to.include.members([...new Set(texts)])
      .and.have.lengthOf(new Set(texts).size);
    expect(texts.join()).to.match(/NOPERM.*eval/);
    expect(JSON.stringify(started.logs)).not.to.match(/secret-(name|data)/);
  });

  // holds: record.failover, settings.sentinels
  it('goes to the master that STORE_SENTINELS name, and follows it through a failover', async () => {
    const master = await redis();
    await redis({ replicaof: `127.0.0.1 ${String(master.port)}` });
    const sentinel = own(await RedisSentinel.start(master.port, 1));
    await worksWith({
      STORE_SENTINELS: `127.0.0.1:${String(sentinel.port)}`,
      STORE_SENTINEL_MASTER: RedisSentinel.masterName,
    });
    await sentinel.failOver();
    await eventually('the service writes to the new master', async () => {
      const added = await service.call('POST', '/queues/after-failover/jobs', [JOB]);
      return added.status === 200;
    });
    await processes();
  }).timeout(30_000);

  describe('over TLS', () => {
    let folder: string;
    let files: { readonly ca: string; readonly key: string };

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'jobgate-tls-'));
      const { cert, key } = await selfSignedCertificate();
      files = { ca: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
      await writeFile(files.ca, cert);
      await writeFile(files.key, key);
    });
    after(() => rm(folder, { recursive: true }));

    /** A store that accepts only TLS and, if configured, requires certificates of its clients. */
    async function startTls(asksClients: 'yes' | 'no'): Promise<string> {
      const port = String(await freePort());
      await redis({
        port: '0',
        'tls-port': port,
        'tls-cert-file': files.ca,
        'tls-key-file': files.key,
        'tls-ca-cert-file': files.ca,
        'tls-auth-clients': asksClients,
      });
      return port;
    }

    // holds: settings.tls-ca
    it('trusts the authority in STORE_TLS_CA', async () => {
      const STORE_PORT = await startTls('no');
      await worksWith({ ...HOST, STORE_PORT, STORE_TLS: 'true', STORE_TLS_CA: files.ca });
    });

    // holds: settings.tls-cert
    it('shows the certificate of STORE_TLS_CERT and STORE_TLS_KEY', async () => {
      const STORE_URI = `rediss://127.0.0.1:${await startTls('yes')}`;
      const certificate = { STORE_TLS_CERT: files.ca, STORE_TLS_KEY: files.key };
      await worksWith({ STORE_URI, STORE_TLS_CA: files.ca, ...certificate });
    });

    // holds: variables.store-tls
    it('is used when STORE_TLS asks for it, and an unknown authority is not trusted', async () => {
      const STORE_PORT = await startTls('no');
      const started = await loggedServices.start({ ...HOST, STORE_PORT, STORE_TLS: 'true' });
      service = started;
      expect((await service.call('GET', '/workers')).status).to.equal(503);
      const line = await started.logged('The service cannot connect to the store');
      expect(line['error'])
        .to.have.property('message')
        .that.matches(/self-signed certificate/);
    });
  });
});

/** Creates the user `gate`, who may do everything except what the rule denies. */
async function setUser(uri: string, rule: string): Promise<void> {
  const client = new Redis(uri);
  await client.call('ACL', 'SETUSER', 'gate', 'on', '>secret', '~*', '&*', '+@all', rule);
  client.disconnect();
}

/** Leaves the store open to only one user. */
async function allowOnly(uri: string, user: string, password: string): Promise<void> {
  const client = new Redis(uri);
  await client.call('ACL', 'SETUSER', user, 'on', `>${password}`, '~*', '&*', '+@all');
  await client.call('ACL', 'SETUSER', 'default', 'off');
  client.disconnect();
}
