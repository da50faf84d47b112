import { access, mkdir, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import { isFullDisk } from './full-disk.ts';
import { isRunning, ownIdentity } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { StoreFailedError, StoreRefusedError } from './store-errors.ts';

export interface FolderLockTimes {
  /** How often the holder shows that it lives, in ms. */
  readonly beat: number;
  /** After how many ms without a sign of life the holder counts as dead, where only its signs can be seen. */
  readonly patience: number;
}

export const LOCK_TIMES: FolderLockTimes = { beat: 1000, patience: 5000 };

const LOCK = /^lock-(\d+)$/;

/**
 * One process holds a folder, also among containers and machines that share it. Whether a holder lives is known at
 * once if it ran in the same container; otherwise by the time of its file, which it renews.
 *
 * The file is `lock-N`. A process creates the one after the highest, whose holder is dead, and only one process can;
 * then it looks at all others again, so that of two which found different files at least one gives up.
 */
export class FolderLock {
  readonly folder: string;
  readonly #path: string;
  readonly #times: FolderLockTimes;
  readonly #timer: NodeJS.Timeout;
  #renewed = performance.now();

  private constructor(folder: string, path: string, times: FolderLockTimes) {
    this.folder = folder;
    this.#path = path;
    this.#times = times;
    // A lost lock is noticed by the next write.
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), times.beat);
    this.#timer.unref();
  }

  /** Creates the folder if it does not exist. @throws StoreRefusedError if it is in use or not writable. */
  static async take(folder: string, times: FolderLockTimes): Promise<FolderLock> {
    try {
      await createFolder(folder);
      const dead = await deadLocks(folder, times, []);
      const path = await createAfter(folder, dead);
      const taken = new FolderLock(folder, path, times);
      try {
        await Promise.all((await deadLocks(folder, times, [path, ...dead])).map(remove));
        await Promise.all(dead.map(remove));
        return taken;
      } catch (error) {
        await taken.release();
        throw error;
      }
    } catch (error) {
      if (error instanceof StoreRefusedError) throw error;
      throw new StoreRefusedError(
        `STORE_PATH ${folder} is not writable: ${(error as Error).message}`,
      );
    }
  }

  /** Resolves if this process holds the folder still; after a pause, others may have taken it. @throws StoreFailedError */
  async check(): Promise<void> {
    if (performance.now() - this.#renewed > this.#times.patience / 2) await this.#renew();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await remove(this.#path);
  }

  async #renew(): Promise<void> {
    const now = new Date();
    try {
      await utimes(this.#path, now, now);
      this.#renewed = performance.now();
    } catch (error) {
      const { message } = error as Error;
      throw new StoreFailedError(`STORE_PATH ${this.folder} is not held any more: ${message}`);
    }
  }
}

/**
 * Creates a folder and those above it. The recursive `mkdir` of Node.js never returns where the system refuses a folder
 * in one that exists as if that were absent, as `/proc` does.
 */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder || (await exists(above))) throw error;
    await createFolder(above);
    await mkdir(folder, { mode: 0o700 });
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** @param known locks that are not looked at. @throws StoreRefusedError if a holder lives. */
async function deadLocks(
  folder: string,
  times: FolderLockTimes,
  known: readonly string[],
): Promise<string[]> {
  const paths = (await readdir(folder))
    .filter((name) => LOCK.test(name))
    .map((name) => join(folder, name))
    .filter((path) => !known.includes(path));
  const lives = await Promise.all(paths.map((path) => isHeld(path, times)));
  if (lives.includes(true)) throw inUse(folder);
  return paths;
}

async function createAfter(folder: string, dead: readonly string[]): Promise<string> {
  const numbers = dead.map((path) => Number(/\d+$/.exec(path)?.[0]));
  const path = join(folder, `lock-${Math.max(0, ...numbers) + 1}`);
  try {
    await writeFile(path, JSON.stringify(ownIdentity() ?? {}), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse(folder);
    // The file is there, without a text: others see its time.
    if (!isFullDisk(error)) throw error;
  }
  return path;
}

async function isHeld(path: string, { beat, patience }: FolderLockTimes): Promise<boolean> {
  const first = await read(path);
  if (first === undefined) return false;
  const running = first.identity && isRunning(first.identity);
  if (running !== undefined) return running;
  const end = performance.now() + patience;
  while (performance.now() < end) {
    await sleep(beat / 4);
    const again = await read(path);
    if (again === undefined) return false;
    if (again.time !== first.time) return true;
  }
  return false;
}

interface FoundLock {
  readonly identity: ProcessIdentity | undefined;
  readonly time: number;
}

/** Opens the file, since network file systems show an old time otherwise. */
async function read(path: string): Promise<FoundLock | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { mtimeMs } = await file.stat();
      return { identity: identityIn(await file.readFile('utf8')), time: mtimeMs };
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function identityIn(text: string): ProcessIdentity | undefined {
  const value: unknown = parsedJson(text);
  return isObject(value) && 'pid' in value ? (value as unknown as ProcessIdentity) : undefined;
}

function inUse(folder: string): StoreRefusedError {
  return new StoreRefusedError(`STORE_PATH ${folder} is in use`);
}

function remove(path: string): Promise<void> {
  return rm(path, { force: true });
}
