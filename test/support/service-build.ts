import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What the built service is made of. */
const SOURCES = ['src', 'clients/typescript/src', 'scripts', 'package.json', 'package-lock.json'];

/** The built service of a test run, which only some tests need. */
class ServiceBuild {
  #isNeeded = false;

  /** Marks that a test of this run starts or reads the built service. */
  need(): void {
    this.#isNeeded = true;
  }

  get isNeeded(): boolean {
    return this.#isNeeded;
  }

  /** Builds the service unless what is there is newer than each of its sources. */
  update(): void {
    const built = join(ROOT, 'dist/main.js');
    if (existsSync(built) && statSync(built).mtimeMs > lastChange()) return;
    execFileSync(process.execPath, ['scripts/build.js'], { cwd: ROOT, stdio: 'inherit' });
  }
}

export const serviceBuild = new ServiceBuild();

/** When a source changed for the last time, in epoch ms. A folder changes as a file in it comes or goes. */
function lastChange(): number {
  return Math.max(...SOURCES.map((source) => lastChangeIn(join(ROOT, source))));
}

function lastChangeIn(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const changes = readdirSync(path).map((name) => lastChangeIn(join(path, name)));
  return Math.max(stats.mtimeMs, ...changes);
}
