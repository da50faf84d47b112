import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { EventStream } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { InProcessService } from '../support/in-process-service.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { rejection } from '../support/rejection.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

interface Created {
  readonly id: string;
  readonly token: string;
}

describe('tokens of the API over three replicas', () => {
  let store: RedisServer;
  const services = new StartedServices();
  let replicas: readonly ServiceProcess[];

  before(async () => {
    store = await RedisServer.start();
    const start = () => services.start({ STORE_URI: store.uri });
    replicas = await Promise.all([start(), start(), start()]);
  });
  after(async () => {
    await services.kill();
    await store.stop();
  });

  const statusOn = async (replica: ServiceProcess, token: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${replica.url}/whoami`, { headers })).status;
  };

  // holds: tokens.revoke
  it('work on all of them at once, and are refused on all within a second, their streams included', async () => {
    const created = await replicas[0]!.call('POST', '/tokens', { name: 'shop', rights: ['read'] });
    const { id, token } = created.body as Created;
    for (const replica of replicas) expect(await statusOn(replica, token)).to.equal(200);
    const headers = { Authorization: `Bearer ${token}` };
    const streams = await Promise.all(
      replicas.map(({ url }) => EventStream.open(`${url}/events`, headers)),
    );
    await replicas[1]!.call('DELETE', `/tokens/${id}`);
    const revokedAt = Date.now();
    for (const stream of streams) expect(await stream.next()).to.equal(undefined);
    for (const replica of replicas) expect(await statusOn(replica, token)).to.equal(401);
    expect(Date.now() - revokedAt).to.be.below(1000);
  });

  it('are in the store only as digests', async () => {
    const created = await replicas[0]!.call('POST', '/tokens', { name: 'shop', rights: ['read'] });
    const { token } = created.body as Created;
    const redis = new Redis(store.uri);
    const stored = JSON.stringify(await redis.hgetall('bull::jobgate:tokens'));
    redis.disconnect();
    expect(stored).to.include(createHash('sha256').update(token).digest('hex'));
    expect(stored).not.to.include(token.slice(-38, -6));
  });
});

describe('tokens of a file', () => {
  const services = new StartedServices();
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobgate-tokens-'));
    file = join(folder, 'tokens.json');
  });
  afterEach(async () => {
    await services.kill();
    rmSync(folder, { recursive: true });
  });

  const write = (tokens: unknown): void => {
    writeFileSync(file, JSON.stringify(tokens));
  };
  const entry = (name: string, token: string, more: object = {}): object => {
    const sha256 = createHash('sha256').update(token).digest('hex');
    return { name, sha256, rights: ['read'], ...more };
  };
  const environment = (): Record<string, string> => ({ STORE: 'memory', ACCESS_TOKENS_FILE: file });

  // holds: tokens.file
  it('are read at start and again when it changes; a mistake keeps the former tokens', async () => {
    write([entry('shop', 'first', { queues: ['mail-*'] })]);
    const service = await services.start(environment());
    const statusOf = async (token: string, path = '/queues'): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(service.url + path, { headers })).status;
    };
    expect(await statusOf('first')).to.equal(200);
    expect(await statusOf('first', '/queues/news')).to.equal(403);
    expect(await statusOf('first', '/tokens')).to.equal(403);
    const { body } = await service.call('GET', '/tokens');
    const { tokens } = body as { tokens: readonly Record<string, unknown>[] };
    expect(tokens[1]).to.include({ id: 'file:shop', source: 'file', hint: null });

    const stream = (token: string) =>
      EventStream.open(`${service.url}/events`, { Authorization: `Bearer ${token}` });
    const [dropped, kept] = [await stream('first'), await stream(ServiceProcess.token)];
    write([entry('shop', 'second'), entry('late', 'late', { expires: 1 })]);
    expect(await dropped.next()).to.equal(undefined);
    await eventually('the new token works', async () => (await statusOf('second')) === 200);
    expect([await statusOf('first'), await statusOf('late')]).to.deep.equal([401, 401]);

    await service.call('POST', '/queues/mail/pause');
    expect(await kept.next()).to.include({ event: 'paused' });
    kept.close();

    const complained = service.logged(
      'The file of tokens could not be read: its tokens stay as they were',
      5000,
    );
    write([entry('shop', 'third', { rights: ['write'] })]);
    await complained;
    expect([await statusOf('second'), await statusOf('third')]).to.deep.equal([200, 401]);
  }).timeout(30_000);

  for (const [mistake, tokens] of [
    ['[0].rights must be', [{ ...entry('a', 'a'), rights: ['write'] }]],
    ['[1].name is that of another', [entry('a', 'a'), entry('a', 'b')]],
    ['[0].sha256 must be', [{ ...entry('a', 'a'), sha256: 'a' }]],
    ['[0].addresses[0] must be a network', [entry('a', 'a', { addresses: ['home'] })]],
    ['[0].admin is unknown', [entry('a', 'a', { admin: true })]],
    ['must hold a JSON array', {}],
  ] as const) {
    // holds: tokens.file
    it(`stop the start: ${mistake}`, async () => {
      write(tokens);
      const { message } = await rejection(InProcessService.start(environment()));
      expect(message).to.include(`ACCESS_TOKENS_FILE: ${mistake}`);
    });
  }
});
