import { randomFillSync } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { isFullDisk } from './full-disk.ts';
import { reservePath } from './store-files.ts';

const MEGABYTE = 1_048_576;
const LEAST = 4 * MEGABYTE;
const MOST = 16 * MEGABYTE;

/** The share of a small disk that is kept free at most. */
const SHARE = 1 / 8;

/**
 * A file that keeps room on the disk: a write that finds the disk full is repeated in its place. As long as it is whole,
 * a write of the size that it was made for succeeds.
 */
export class Reserve {
  readonly #path: string;
  readonly #most: number;
  #size: number;
  #isWhole = false;

  /** Makes it, if there is room. */
  constructor(folder: string) {
    const { blocks, bsize } = statfsSync(folder);
    this.#path = reservePath(folder);
    this.#most = Math.min(MOST, Math.floor(blocks * bsize * SHARE));
    this.#size = Math.min(LEAST, this.#most);
    this.restore();
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Makes it large enough for writes of so many bytes. */
  fit(bytes: number): void {
    const size = Math.min(bytes, this.#most);
    if (size <= this.#size) return;
    this.#size = size;
    this.restore();
  }

  /** Gives its room to others. */
  release(): void {
    this.#isWhole = false;
    rmSync(this.#path, { force: true });
  }

  /** Makes it whole again. @returns false when the disk has no room for it. */
  restore(): boolean {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    this.#isWhole = size >= this.#size || this.#extend(size);
    return this.#isWhole;
  }

  #extend(from: number): boolean {
    const file = openSync(this.#path, 'a', 0o600);
    try {
      for (let size = from; size < this.#size;)
        size += writeSync(file, incompressible(Math.min(MEGABYTE, this.#size - size)));
      return true;
    } catch (error) {
      ftruncateSync(file, from);
      // Any other trouble of the disk is for the next write to find.
      return !isFullDisk(error);
    } finally {
      closeSync(file);
    }
  }
}

/** Zeros take no room on disks that compress. */
function incompressible(size: number): Buffer {
  return randomFillSync(Buffer.allocUnsafe(size));
}
