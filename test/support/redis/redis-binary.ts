import { programOnPath } from '../program-on-path.ts';
import { installRedisPackage } from './redis-package.ts';

const NAMES = ['redis-server', 'valkey-server'];

/** The server program on the PATH, Redis before Valkey wherever they stand in it. */
export function findRedisBinary(): Promise<string | undefined> {
  return programOnPath(NAMES);
}

/**
 * The server program of this machine, its package installed first where that is possible.
 *
 * @throws Error that says what to do.
 */
export async function requireRedisBinary(): Promise<string> {
  const binary =
    (await findRedisBinary()) ??
    ((await installRedisPackage()) ? await findRedisBinary() : undefined);
  if (binary !== undefined) return binary;
  throw new Error(
    'No Redis server program for the tests: put redis-server or valkey-server on the PATH',
  );
}
