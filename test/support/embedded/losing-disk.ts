import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

/** A power failure keeps a sector as it was before a write or after it. */
const SECTOR = 512;

const {
  openSync,
  closeSync,
  writeSync,
  ftruncateSync,
  fsyncSync,
  fdatasync,
  unlinkSync,
  renameSync,
} = fs;

interface Write {
  readonly at: number;
  /** Undefined for a cut at that place. */
  readonly bytes: Buffer | undefined;
}

/** A file as the disk has it for certain, and what was done to it since it was last synced. */
interface LosingFile {
  synced: Buffer;
  writes: Write[];
  /** Whether the folder that names it, or that does not name it any more, was synced. */
  isNamed: boolean;
  isRemoved: boolean;
}

/**
 * A folder on a disk that keeps, in a power failure, what was synced, and any part of the rest, by sectors and in any
 * order. Programs reach it by the calls of `node:fs` that WebAssembly's SQLite and the store use.
 */
export class LosingDisk {
  readonly #folder: string;
  readonly #names: readonly string[];
  readonly #random: () => number;
  readonly #files = new Map<string, LosingFile>();
  readonly #paths = new Map<number, string>();
  #untilFailure = Infinity;
  #failed: () => void = () => undefined;

  /** @param names of the files that are followed. */
  constructor(folder: string, names: readonly string[], random: () => number) {
    this.#folder = resolve(folder);
    this.#names = names;
    this.#random = random;
  }

  /** Has `failed` called before the change of the folder after so many others. */
  failAfter(changes: number, failed: () => void): void {
    this.#untilFailure = changes;
    this.#failed = failed;
  }

  /** From now on the calls of this process are followed. */
  follow(): void {
    Object.assign(fs, {
      openSync: (...given: Parameters<typeof openSync>) => this.#open(...given),
      closeSync: (file: number) => {
        this.#paths.delete(file);
        closeSync(file);
      },
      writeSync: (file: number, ...given: [Buffer | string, number?, ...unknown[]]) =>
        this.#write(file, given),
      ftruncateSync: (file: number, size = 0) => {
        this.#change(file, { at: size, bytes: undefined });
        ftruncateSync(file, size);
      },
      fsyncSync: (file: number) => {
        fsyncSync(file);
        this.#sync(file);
      },
      fdatasync: (file: number, done: fs.NoParamCallback) => {
        fdatasync(file, (error) => {
          this.#sync(file);
          done(error);
        });
      },
      unlinkSync: (path: fs.PathLike) => {
        this.#remove(String(path));
        unlinkSync(path);
      },
      renameSync: (from: fs.PathLike, to: fs.PathLike) => {
        this.#rename(basename(String(from)), basename(String(to)));
        renameSync(from, to);
      },
    });
    syncBuiltinESMExports();
  }

  unfollow(): void {
    Object.assign(fs, {
      openSync,
      closeSync,
      writeSync,
      ftruncateSync,
      fsyncSync,
      fdatasync,
      unlinkSync,
      renameSync,
    });
    syncBuiltinESMExports();
  }

  /** Writes to another folder what a power failure would leave of this one now. */
  leave(folder: string): void {
    const keeps = this.#keeping();
    for (const [name, file] of this.#files) {
      const isThere = file.isNamed ? !file.isRemoved : keeps() !== file.isRemoved;
      if (isThere) fs.writeFileSync(join(folder, name), left(file, keeps));
    }
  }

  /** Whether something that was not synced is kept: often nothing is, or all. */
  #keeping(): () => boolean {
    const chance = this.#random();
    if (chance < 0.25) return () => false;
    if (chance < 0.5) return () => true;
    const share = this.#random();
    return () => this.#random() < share;
  }

  #open(...given: Parameters<typeof openSync>): number {
    const path = resolve(String(given[0]));
    const name = basename(path);
    const isNew = !fs.existsSync(path);
    const file = openSync(...given);
    const isFollowed = dirname(path) === this.#folder && this.#names.includes(name);
    if (isFollowed || path === this.#folder) this.#paths.set(file, path);
    if (isFollowed && isNew) {
      this.#files.set(name, { synced: Buffer.of(), writes: [], isNamed: false, isRemoved: false });
    }
    return file;
  }

  #write(file: number, given: [Buffer | string, number?, ...unknown[]]): number {
    const [data] = given;
    if (this.#paths.has(file)) {
      const [offset, length, position] = given.slice(1) as number[];
      const write =
        typeof data === 'string'
          ? { at: offset!, bytes: Buffer.from(data, 'latin1') }
          : { at: position!, bytes: Buffer.from(data.subarray(offset, offset! + length!)) };
      this.#change(file, write);
    }
    return (writeSync as (file: number, ...given: unknown[]) => number)(file, ...given);
  }

  #change(file: number, write: Write): void {
    const path = this.#paths.get(file);
    if (path === undefined) return;
    this.#count();
    this.#files.get(basename(path))?.writes.push(write);
  }

  #sync(file: number): void {
    const path = this.#paths.get(file);
    if (path === undefined) return;
    if (path === this.#folder) for (const each of this.#files.values()) each.isNamed = true;
    const synced = this.#files.get(basename(path));
    if (synced === undefined) return;
    this.#count();
    synced.synced = left(synced, () => true);
    synced.writes = [];
  }

  #remove(path: string): void {
    const file = this.#files.get(basename(path));
    if (dirname(resolve(path)) !== this.#folder || file === undefined) return;
    this.#count();
    Object.assign(file, { isNamed: false, isRemoved: true });
  }

  #rename(from: string, to: string): void {
    const file = this.#files.get(from);
    if (file === undefined) return;
    this.#count();
    this.#files.delete(from);
    this.#files.set(to, { ...file, isNamed: false });
  }

  #count(): void {
    this.#untilFailure -= 1;
    if (this.#untilFailure === 0) this.#failed();
  }
}

/** The file with those writes that are kept. */
function left({ synced, writes }: LosingFile, keeps: () => boolean): Buffer {
  const end = writes.reduce((most, { at, bytes }) => Math.max(most, at + (bytes?.length ?? 0)), 0);
  const file = Buffer.alloc(Math.max(end, synced.length));
  synced.copy(file);
  let size = synced.length;
  for (const { at, bytes } of writes) {
    if (bytes === undefined) {
      if (!keeps()) continue;
      file.fill(0, at);
      size = at;
    } else {
      for (let start = 0; start < bytes.length;) {
        const stop = Math.min(bytes.length, start + SECTOR - ((at + start) % SECTOR));
        if (keeps()) {
          bytes.copy(file, at + start, start, stop);
          size = Math.max(size, at + stop);
        }
        start = stop;
      }
    }
  }
  return file.subarray(0, size);
}
