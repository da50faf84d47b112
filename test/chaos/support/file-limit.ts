import { execFileSync } from 'node:child_process';

/** How many files and connections one process may have open here. */
export function fileLimit(): number {
  const text = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return text === 'unlimited' ? Infinity : Number(text);
}
