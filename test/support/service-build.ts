import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from '../../scripts/build-age.js';

const ROOT = join(import.meta.dirname, '../..');

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
    if (isBuilt(ROOT)) return;
    execFileSync(process.execPath, ['scripts/build.js'], { cwd: ROOT, stdio: 'inherit' });
  }
}

export const serviceBuild = new ServiceBuild();
