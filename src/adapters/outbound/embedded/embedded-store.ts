import { rm, stat } from 'node:fs/promises';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { Startable } from '../../../application/running/startable.ts';
import { storedOrNot, storeUnavailable } from '../../../domain/errors.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../memory/state/memory-store.ts';
import type { MemoryRoom } from '../memory/room/memory-room.ts';
import { JobReading } from '../memory/ports/job-reading.ts';
import type { StoreRecords } from '../memory/records/store-records.ts';
import type { ChangedRecords } from '../memory/records/changed-records.ts';
import type { KeptValues } from '../memory/records/kept-values.ts';
import { DiskRoom } from './disk-room.ts';
import { Commits } from './file/commits.ts';
import { FolderLock, LOCK_TIMES } from './file/folder-lock.ts';
import { RecordFile } from './file/record-file.ts';
import { nameOfKey } from './file/record-key.ts';
import type { ThreadCalls } from './file/thread-calls.ts';
import type { RecordChange, StoredRecord } from '../memory/records/record.ts';
import { backupPath, DATABASE_NAME } from './file/store-files.ts';
import { readId } from '../memory/records/record-ids.ts';
import { ownerOf } from '../memory/records/value-key.ts';
import { readUnnamed, type UnnamedJobs } from '../memory/records/unnamed-jobs.ts';
import { piecesOf } from '../../../domain/values/pieces.ts';
import type { Disk } from './written-port.ts';
import { damagedStore, StoreFullError } from './file/store-errors.ts';

/** Bits of the mode of a folder. */
const [WRITABLE_BY_OTHERS, STICKY] = [0o002, 0o1000];

/** Jobs of earlier versions that are written anew at once. */
const UNNAMED_AT_ONCE = 1000;

/** The parts of the store that are in memory. */
export interface EmbeddedParts {
  readonly queues: MemoryStore;
  readonly records: StoreRecords;
  readonly changed: ChangedRecords;
  readonly keptValues: KeptValues;
  readonly room?: Pick<MemoryRoom, 'start' | 'stop'>;
}

/**
 * The memory store with a file: the records that its steps change are written to a folder, and read when it starts
 * (docs/adr/0032). Several steps share a write, and nothing is answered before what it changed is on the disk.
 */
export class EmbeddedStore implements Startable, Disk {
  readonly name = 'embedded store';
  readonly #folder: string;
  readonly #parts: EmbeddedParts;
  readonly #logger: LoggerPort;
  readonly #failed: (error: Error) => void;
  #lock: FolderLock | undefined;
  #file: RecordFile | undefined;
  #read = 0;
  #commits: Commits | undefined;
  readonly #room: DiskRoom;
  #failure: Error | undefined;
  readonly #thread: ThreadCalls | undefined;
  readonly #stopping = new AbortController();
  #checking: Promise<void> | undefined;

  /**
   * @param failed is called once, when a write failed so that nobody knows what is stored: the process has to end.
   * @param thread serves the file; it takes a while to start, so it may be started before.
   */
  constructor(
    folder: string,
    parts: EmbeddedParts,
    logger: LoggerPort,
    failed: (error: Error) => void,
    thread?: ThreadCalls,
  ) {
    this.#thread = thread;
    this.#folder = folder;
    this.#parts = parts;
    this.#logger = logger;
    this.#failed = failed;
    this.#room = new DiskRoom(folder, async () => (await this.#file?.mend()) === true, logger);
  }

  /** The part of the records that have been read, from 0 to 1; less than 1 until the store can be used. */
  get loaded(): number {
    if (this.#commits !== undefined) return 1;
    return Math.min(0.99, this.#read / Math.max(1, this.#file?.count ?? 1));
  }

  /** Whether what adds to the store is refused, since its disk has no room. */
  get isFull(): boolean {
    return this.#room.isFull;
  }

  /** Whether a write failed, so that nothing is stored any more. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Takes the folder. @throws StoreRefusedError if it is in use or not writable. */
  async take(): Promise<void> {
    this.#lock = await FolderLock.take(this.#folder, LOCK_TIMES);
    const { mode } = await stat(this.#folder);
    // In a folder like /tmp, nobody can replace the files of others.
    if ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0) return;
    this.#logger.warn('Other users may write to the folder of the store: run chmod o-w on it', {
      path: this.#folder,
    });
  }

  /** Lets go of the folder. */
  async release(): Promise<void> {
    await this.#lock?.release();
  }

  /**
   * Reads all records of the folder, which must be taken.
   *
   * @throws StoreRefusedError with the reason in one line when the folder is damaged, of a later version or not writable.
   */
  async start(stopping: AbortSignal): Promise<void> {
    const { queues, records, changed, keptValues } = this.#parts;
    const startedAt = performance.now();
    const thread = this.#thread && { thread: this.#thread };
    const file = await RecordFile.openHeld(this.#heldLock, thread);
    this.#file = file;
    keptValues.readFrom(file);
    await rm(backupPath(this.#folder), { force: true });
    for await (const piece of file.records()) {
      if (stopping.aborted) return;
      for (const record of piece) this.#restore(record);
      this.#read += piece.length;
    }
    const unnamed = [...queues.unnamed()];
    await readUnnamed(unnamed, file, (piece) => {
      for (const record of piece) this.#restore(record);
    });
    records.restored();
    queues.restored();
    queues.loseCalls();
    const commits = new Commits(
      () => changed.take((kind, queue, id) => records.read(kind, queue, id)),
      (changes) => this.#write(file, changes),
      (error) => {
        this.#failure = error;
        this.#failed(error);
      },
    );
    if (!file.hadRoom) this.#room.note('reserve');
    this.#commits = commits;
    this.#parts.room?.start();
    changed.onFirst(
      () => {
        commits.soon();
      },
      () => {
        commits.keptUp().catch(() => undefined);
      },
    );
    const duration = Math.round(performance.now() - startedAt);
    this.#logger.info('Opened the store', { path: this.#folder, records: file.count, duration });
    if (!file.isSmall) this.#checking = this.#check(file);
    this.#writeAgain(unnamed).catch(() => undefined);
  }

  /** So that the next start need not read their payloads. */
  async #writeAgain(unnamed: UnnamedJobs): Promise<void> {
    for (const [queue, ids] of unnamed) {
      for (const some of piecesOf(ids, UNNAMED_AT_ONCE)) {
        if (this.#stopping.signal.aborted) return;
        const found = this.#parts.queues.find(queue);
        await (found &&
          new JobReading(found).eachWhole(some, (jobs) => {
            found.jobs.noteAgain(jobs.map(({ id }) => id));
          }));
        await this.written();
      }
    }
  }

  /** The service is in use meanwhile: a start that waited for all of a large file would take a minute. */
  async #check(file: RecordFile): Promise<void> {
    const startedAt = performance.now();
    try {
      await file.check(this.#stopping.signal);
      const duration = Math.round(performance.now() - startedAt);
      if (!this.#stopping.signal.aborted) this.#logger.info('Checked the store', { duration });
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#failure ??= error as Error;
      this.#failed(this.#failure);
    }
  }

  get #heldLock(): FolderLock {
    if (this.#lock === undefined) throw new Error('The folder of the store is not taken');
    return this.#lock;
  }

  /** @throws StoreDamagedError for a record that is not one of this store, although it is what was written. */
  #restore(record: StoredRecord): void {
    const { kind, queue, id, value } = record;
    try {
      const content: unknown = JSON.parse(value);
      this.#parts.records.restore(kind, queue as QueueName | '', readId(id), content);
    } catch (error) {
      const place = `${DATABASE_NAME}, ${nameOfKey(record)}`;
      throw damagedStore(this.#folder, `${place}: ${(error as Error).message}`);
    }
  }

  check(grows: boolean): void {
    if (this.#failure !== undefined) throw storeUnavailable(this.#failure);
    this.#room.check(grows);
  }

  async #write(file: RecordFile, changes: readonly RecordChange[]): Promise<void> {
    try {
      this.#room.note((await file.write(changes)) ? 'enough' : 'reserve');
      this.#parts.changed.written();
      this.#noteStored(changes);
    } catch (error) {
      if (error instanceof StoreFullError) this.#room.note('none');
      throw error;
    }
  }

  /** Values are on the disk now; those that changed again meanwhile are so after the next write. */
  #noteStored(changes: readonly RecordChange[]): void {
    const { queues, changed } = this.#parts;
    for (const { kind, queue, id, value } of changes) {
      const key = value === undefined ? undefined : ownerOf(kind, queue, readId(id));
      if (key !== undefined && !changed.has(key)) queues.find(key.queue)?.stored(key);
    }
  }

  /** Has what was removed until now overwritten in the folder, once nobody has written for a while or at the next start. */
  async scrub(): Promise<void> {
    await this.written();
    await this.#file?.scrub();
  }

  /** Writes a consistent copy to a new file of the folder, while changes go on. @throws StoreFullError */
  async backup(path: string, ending: AbortSignal): Promise<void> {
    await this.#file?.backup(path, ending);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#room.stop();
    this.#parts.room?.stop();
    await this.#checking;
    try {
      await this.#commits?.end();
    } finally {
      await this.#file?.close();
    }
  }

  /**
   * Resolves once everything that changed until now is on the disk. Waits for room where a write found not even what was
   * kept for it.
   *
   * @throws DomainError `store-unavailable` that `mayBeStored` when the write failed, or the store stops on a full disk.
   */
  written(): Promise<void> {
    return answered(this.#commits?.kept(), storedOrNot);
  }

  /** @throws DomainError `store-unavailable` when the write failed, or the disk has no room for it. */
  shown(queue?: QueueName, jobId?: string): Promise<void> | undefined {
    if (this.#parts.changed.isStored(queue, jobId)) return undefined;
    return answered(this.#commits?.written(), storeUnavailable);
  }

  /** @throws DomainError `store-unavailable` as `written` does, when it waited for the write. */
  keptUp(): Promise<void> {
    return answered(this.#commits?.keptUp(), storedOrNot);
  }
}

async function answered(
  writing: Promise<void> | undefined,
  refusal: (cause: unknown) => Error,
): Promise<void> {
  try {
    await writing;
  } catch (error) {
    throw refusal(error);
  }
}
