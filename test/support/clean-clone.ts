import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The files of the project that are, or would be, committed: nothing installed, nothing built. */
export const projectFiles: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter(Boolean);

/** Copies them to a folder, or those alone whose paths begin with one of the parts. */
export function cleanClone(folder: string, parts: readonly string[] = ['']): void {
  const isWanted = (file: string): boolean => parts.some((part) => file.startsWith(part));
  for (const file of projectFiles.filter(isWanted)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
}
