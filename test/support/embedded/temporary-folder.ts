import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test. */
export class TemporaryFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'jobgate-embedded-'));

  in(name: string): string {
    return join(this.path, name);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
