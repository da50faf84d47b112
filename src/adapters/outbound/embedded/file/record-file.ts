import { setImmediate as turn } from 'node:timers/promises';
import { FolderLock, LOCK_TIMES } from './folder-lock.ts';
import type { FolderLockTimes } from './folder-lock.ts';
import { divided, joined } from './joined-records.ts';
import type { FoundValues, RecordGroups } from '../../memory/records/record.ts';
import type { RecordChange, StoredRecord } from '../../memory/records/record.ts';
import { ThreadCalls } from './thread-calls.ts';
import type { OpenedStore } from './record-thread.ts';

export interface RecordFileOptions {
  /** The module of the database driver; by default the one that suits this Node.js. */
  readonly driver?: URL;
  readonly lockTimes?: FolderLockTimes;
  /** The thread that serves the file, if it was started before. */
  readonly thread?: ThreadCalls;
}

/** The records of a folder that this process holds, in one SQLite file that a thread of its own reads and writes. */
export class RecordFile {
  /** How many records there were when the file was opened. */
  readonly count: number;
  /** Whether the disk had room for writes then. */
  readonly hadRoom: boolean;
  /** Whether {@link records} checks all of it; else {@link check} has to. */
  readonly isSmall: boolean;
  readonly #lock: FolderLock;
  readonly #thread: ThreadCalls;

  private constructor(
    lock: FolderLock,
    thread: ThreadCalls,
    { count, hasRoom, isSmall }: OpenedStore,
  ) {
    this.#lock = lock;
    this.#thread = thread;
    this.count = count;
    this.hadRoom = hasRoom;
    this.isSmall = isSmall;
  }

  /**
   * Takes the folder, which is created if there is none, and opens its file.
   * @throws StoreRefusedError if it is in use, not writable, of a newer version or damaged; the message is one line.
   */
  static async open(folder: string, options: RecordFileOptions = {}): Promise<RecordFile> {
    const lock = await FolderLock.take(folder, options.lockTimes ?? LOCK_TIMES);
    return RecordFile.openHeld(lock, options);
  }

  /** The same for a folder that was taken before, and is let go if its file cannot be opened. */
  static async openHeld(
    lock: FolderLock,
    { driver, thread = ThreadCalls.start() }: Omit<RecordFileOptions, 'lockTimes'> = {},
  ): Promise<RecordFile> {
    const { folder } = lock;
    try {
      const opened = await thread.call('open', folder, driver?.href);
      return new RecordFile(lock, thread, opened);
    } catch (error) {
      await thread.end();
      await lock.release();
      throw error;
    }
  }

  /**
   * All records but those with values, in the order of kind, queue and id, in pieces of at most 1000 records and about
   * 1 MB. To be read once.
   * @throws StoreDamagedError if a record is altered or out of order, or missing in a small file, at the latest after the
   *   last piece.
   */
  async *records(): AsyncIterable<readonly StoredRecord[]> {
    let next = this.#thread.call('read');
    for (;;) {
      const piece = divided(await next);
      if (piece.length === 0) return;
      next = this.#thread.call('read');
      // If the reader of this piece fails or stops, nobody awaits the next one.
      next.catch(() => undefined);
      yield piece;
      // Node.js delivers all messages that wait before it turns to anything else, such as a probe.
      await turn();
    }
  }

  /**
   * Checks all records of a large file, in pieces between which others are read and written.
   *
   * @throws StoreDamagedError if a record is altered, missing or out of order.
   */
  async check(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && !(await this.#thread.call('check'))) await turn();
  }

  /**
   * The values of the records of each group, undefined in place of one that is gone. Fewer groups, but at least one, if
   * all would take more than about `most` characters.
   * @throws StoreDamagedError if a record is altered.
   */
  find(groups: RecordGroups, most: number): Promise<FoundValues> {
    return this.#thread.call('find', groups, most);
  }

  /**
   * Writes the changes as one transaction that is on the disk, all or none. One call at a time.
   *
   * @returns whether the disk has room for another one; without it, some room is left that was kept for this case.
   * @throws StoreFullError if not even that is left: nothing is stored, and the write may be repeated later.
   * @throws StoreFailedError if it failed otherwise; nothing is ever written to the file again.
   */
  async write(changes: readonly RecordChange[]): Promise<boolean> {
    await this.#lock.check();
    return this.#thread.call('write', joined(changes));
  }

  /** Gives back to the disk what is not needed any more. @returns whether there is room again for writes. */
  async mend(): Promise<boolean> {
    return this.#thread.call('mend');
  }

  /**
   * Removes what removed records left in the log, at once unless a backup runs, and has what they left in the file
   * overwritten, once nobody has written for a while or it is opened anew.
   */
  async scrub(): Promise<void> {
    await this.#thread.call('scrub');
  }

  /**
   * Writes a consistent copy to a new file while others write. One copy at a time.
   *
   * @param ending stops the copying, and removes the file.
   * @throws StoreFullError if the disk is full, an error if the file exists or the signal aborts.
   */
  async backup(path: string, ending?: AbortSignal): Promise<void> {
    ending?.throwIfAborted();
    const end = (): void => {
      // A thread that has ended fails the backup as well.
      this.#thread.call('endBackup').catch(() => undefined);
    };
    ending?.addEventListener('abort', end);
    try {
      await this.#thread.call('backup', path);
    } finally {
      ending?.removeEventListener('abort', end);
    }
  }

  /** Closes the file and lets go of the folder. */
  async close(): Promise<void> {
    try {
      await this.#thread.call('close');
    } finally {
      await this.#thread.end();
      await this.#lock.release();
    }
  }
}
