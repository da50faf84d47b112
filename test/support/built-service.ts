import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Mocha root plugin (`require` in the configurations): builds the service from its sources, as processes
 * of it are started from what is built. That is what users run, and it starts in a fifth of the time.
 */
export function mochaGlobalSetup(): void {
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: ROOT, stdio: 'inherit' });
}
