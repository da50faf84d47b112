import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** What a git command prints. @throws Error when it fails. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
}

/** The commit that `.ci/run` passed for, last time; undefined when it never passed. */
export function passedCommit(folder: string): string | undefined {
  try {
    return readFileSync(
      resolve(folder, git(folder, 'rev-parse', '--git-path', 'gate-passed')),
      'utf8',
    ).trim();
  } catch {
    return undefined;
  }
}
