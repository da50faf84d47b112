import { installedProgram } from '../installed-program.ts';
import { programOnPath } from '../program-on-path.ts';
import { installRedisPackage } from './redis-package.ts';

const NAMES = ['redis-server', 'valkey-server'];

/** The server program on the PATH, Redis before Valkey wherever they stand in it. */
export function findRedisBinary(): Promise<string | undefined> {
  return programOnPath(NAMES);
}

/** The server program of this machine, installed first where possible. @throws Error that says what to do. */
export function requireRedisBinary(): Promise<string> {
  return installedProgram(
    NAMES,
    installRedisPackage,
    'No Redis server program for the tests: put redis-server or valkey-server on the PATH',
  );
}
