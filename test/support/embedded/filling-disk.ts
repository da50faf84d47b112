import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const { writeSync, statfsSync } = fs;

/** What a disk does with a write: there is no room for it, or it fails once. */
export type Trouble = 'full' | 'failing';

/** A folder on a disk that is full from a write on, or that fails one. */
export class FillingDisk {
  readonly #folder: string;
  #untilTrouble = Infinity;
  #trouble: Trouble = 'full';
  #lack = 0;
  #room = Infinity;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The write after so many others finds the disk full, or fails.
   *
   * @param lack how many bytes others hold of a full disk that this folder would have to give back first.
   */
  troubleAfter(writes: number, trouble: Trouble, lack = 0): void {
    this.#untilTrouble = writes;
    this.#trouble = trouble;
    this.#lack = lack;
  }

  /** The disk has room again. */
  empty(): void {
    this.#untilTrouble = Infinity;
    this.#room = Infinity;
  }

  follow(): void {
    Object.assign(fs, {
      writeSync: (file: number, ...given: [Buffer | string, ...unknown[]]) => {
        this.#check(file, given);
        return (writeSync as (file: number, ...given: unknown[]) => number)(file, ...given);
      },
      statfsSync: (path: string) =>
        path === this.#folder && this.#room !== Infinity
          ? { bsize: 1, blocks: this.#room, bavail: Math.max(0, this.#room - this.#used()) }
          : statfsSync(path),
    });
    syncBuiltinESMExports();
  }

  unfollow(): void {
    Object.assign(fs, { writeSync, statfsSync });
    syncBuiltinESMExports();
  }

  #check(file: number, [data, offset, length, position]: [Buffer | string, ...unknown[]]): void {
    if (!fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(`${this.#folder}/`)) return;
    this.#untilTrouble -= 1;
    if (this.#untilTrouble === 0) {
      if (this.#trouble === 'failing') throw failure('EIO');
      this.#room = this.#used() - this.#lack;
    }
    const isText = typeof data === 'string';
    const { size } = fs.fstatSync(file);
    const at = Number((isText ? offset : position) ?? size);
    const bytes = isText ? Buffer.byteLength(data) : Number(length ?? data.length);
    const growth = Math.max(0, at + bytes - size);
    if (growth > 0 && this.#used() + growth > this.#room) throw failure('ENOSPC');
  }

  #used(): number {
    return fs.readdirSync(this.#folder).reduce((sum, name) => {
      const stats = fs.statSync(join(this.#folder, name), { throwIfNoEntry: false });
      return sum + (stats?.size ?? 0);
    }, 0);
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });
}
