import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A disk of a few megabytes, which a test fills and empties. Linux mounts one for root alone. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async mount(megabytes: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), 'jobgate-disk-'));
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'jobgate', path]);
    await chmod(path, 0o777);
    return new SmallDisk(path);
  }

  /** Leaves no room. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(this.path);
    // A writer may be quicker: what does not fit is not wanted either.
    await writeFile(this.#filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
  }

  async empty(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  async unmount(): Promise<void> {
    await execute('umount', [this.path]);
    await rmdir(this.path);
  }

  get #filler(): string {
    return join(this.path, 'filler');
  }
}
