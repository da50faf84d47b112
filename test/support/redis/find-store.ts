import { basename } from 'node:path';
import { findRedisBinary } from './redis-binary.ts';
import { startRedisContainer } from './redis-container.ts';
import { installRedisPackage } from './redis-package.ts';
import { RedisServer } from './redis-server.ts';
import type { FoundServer } from '../server-session.ts';

/**
 * The store that TEST_STORE_URI names, else a process of the program on the PATH, else a container,
 * else a process of the package, which is then installed. A missing store fails the run instead of
 * skipping tests, so that coverage cannot vanish unseen.
 *
 * @throws Error that says what to do when there is none.
 */
export async function findStore(): Promise<FoundServer> {
  const store =
    fromEnvironment() ??
    (await ownProcess()) ??
    (await startRedisContainer()) ??
    ((await installRedisPackage()) ? await ownProcess() : undefined);
  if (store !== undefined) return store;
  throw new Error(
    'No Redis for the tests: put redis-server or valkey-server on the PATH, start a Docker engine, ' +
      'or set TEST_STORE_URI=redis://host:port',
  );
}

/** It is not ours to stop. */
function fromEnvironment(): FoundServer | undefined {
  const uri = process.env['TEST_STORE_URI'];
  if (uri === undefined || uri === '') return undefined;
  return { uri, origin: `TEST_STORE_URI, ${uri}`, stop: () => Promise.resolve() };
}

async function ownProcess(): Promise<FoundServer | undefined> {
  const binary = await findRedisBinary();
  if (binary === undefined) return undefined;
  const server = await RedisServer.start({ binary });
  const origin = `${basename(binary)} at ${server.uri}`;
  return { uri: server.uri, origin, stop: () => server.stop() };
}
