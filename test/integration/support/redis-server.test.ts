import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Cluster, Redis } from 'ioredis';
import { ping } from '../../support/redis/ping.ts';
import { RedisCluster } from '../../support/redis/redis-cluster.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';

async function withClient<T>(uri: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(uri);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

describe('RedisServer', () => {
  let server: RedisServer | undefined;

  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it('runs with the settings it was given', async () => {
    server = await RedisServer.start({ settings: { maxmemory: '20mb' } });
    const maxmemory = await withClient(server.uri, (client) => client.config('GET', 'maxmemory'));
    expect(maxmemory).to.deep.equal(['maxmemory', String(20 * 1024 * 1024)]);
  });

  it('ends its process and folder for good when stopped, also twice', async () => {
    server = await RedisServer.start();
    const { pid, uri } = server;
    const [, folder] = (await withClient(uri, (client) => client.config('GET', 'dir'))) as string[];
    await server.stop();
    await server.stop();
    expect(isGone(pid)).to.equal(true);
    expect((await rejection(access(folder ?? ''))).message).to.include('ENOENT');
    expect((await rejection(ping(uri))).message).to.include('ECONNREFUSED');
  });

  it('loses what it did not write when killed, and comes back on the same port', async () => {
    server = await RedisServer.start();
    const { port, pid } = server;
    await withClient(server.uri, (client) => client.set('key', 'value'));
    await server.kill();
    expect(isGone(pid)).to.equal(true);
    await server.restart();
    expect(server.port).to.equal(port);
    expect(server.pid).to.not.equal(pid);
    expect(await withClient(server.uri, (client) => client.get('key'))).to.equal(null);
  });

  it('keeps what it wrote in a folder that stays, over kill and restart', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'jobgate-redis-kept-'));
    try {
      server = await RedisServer.start({
        settings: { dir, appendonly: 'yes', appendfsync: 'always' },
      });
      await withClient(server.uri, (client) => client.set('key', 'value'));
      await server.kill();
      await server.restart();
      expect(await withClient(server.uri, (client) => client.get('key'))).to.equal('value');
      await server.stop();
      await access(dir);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('says what the server printed when it does not start', async () => {
    const error = await rejection(RedisServer.start({ settings: { maxmemory: 'plenty' } }));
    expect(error.message)
      .to.match(/redis-server|valkey-server/)
      .and.include('maxmemory');
  });

  it('does not outlive a test run that is killed', async () => {
    const run = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '../../support/redis/orphan-program.ts')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [uri] = (await once(createInterface({ input: run.stdout }), 'line')) as [string];
    const client = new Redis(uri, { retryStrategy: () => null });
    await client.ping();
    const cutOff = once(client, 'end');
    run.kill('SIGKILL');
    await cutOff;
    // The system may close the connection a moment before it closes the port.
    await eventually('connections are refused', async () =>
      (await rejection(ping(uri))).message.includes('ECONNREFUSED'),
    );
  });
});

describe('RedisCluster', () => {
  it('is one keyspace over all its nodes', async () => {
    const cluster = await RedisCluster.start(3);
    const client = new Cluster([...cluster.addresses]);
    try {
      const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
      await Promise.all(keys.map((key) => client.set(key, key)));
      expect(await Promise.all(keys.map((key) => client.get(key)))).to.deep.equal(keys);
      const sizes = await Promise.all(client.nodes('master').map((node) => node.dbsize()));
      expect(sizes).to.have.length(3);
      expect(sizes.every((size) => size > 0)).to.equal(true);
    } finally {
      client.disconnect();
      await cluster.stop();
    }
    expect(cluster.nodes.map((node) => isGone(node.pid))).to.deep.equal([true, true, true]);
  });
});
