import { readFile } from 'node:fs/promises';
import { installRedisPackage } from './debian-package.ts';
import type { Say } from './find-store.ts';
import { findRedisBinary, requireBinary } from './redis-binary.ts';
import { runCommand } from './run-command.ts';

export const say: Say = (line) => {
  console.log(line);
};

export function findLocalBinary(): Promise<string | undefined> {
  return findRedisBinary(process.env);
}

export function installLocally(): Promise<boolean> {
  return installRedisPackage({
    osRelease: () => readFile('/etc/os-release', 'utf8').catch(() => ''),
    isRoot: process.getuid?.() === 0,
    run: runCommand,
    say,
  });
}

/** The server program of this machine, installed first where that is possible. */
export function requireLocalBinary(): Promise<string> {
  return requireBinary({ find: findLocalBinary, install: installLocally });
}
