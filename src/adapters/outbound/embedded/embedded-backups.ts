import { open, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import type { StoreBackup, StoreBackupPort } from '../../../application/ports/store-backup-port.ts';
import { DomainError, storeUnavailable } from '../../../domain/errors.ts';
import { StoreFullError } from './file/store-errors.ts';
import { backupPath, databasePath } from './file/store-files.ts';

/** How many bytes are read at once. */
const PIECE = 65_536;

/** How many bytes must be left beside a copy, so that it does not fill the disk. */
const MARGIN = 16 * 1_048_576;

/** Writes a copy of the database to a file. @throws StoreFullError */
export type WriteCopy = (path: string, ending: AbortSignal) => Promise<void>;

/**
 * Copies of the database, in a file of the folder that has no name any more once it can be read: whatever ends the
 * process, nothing of it is left.
 */
export class EmbeddedBackups implements StoreBackupPort {
  readonly #folder: string;
  readonly #write: WriteCopy;

  constructor(folder: string, write: WriteCopy) {
    this.#folder = folder;
    this.#write = write;
  }

  async backUp(ending: AbortSignal): Promise<StoreBackup> {
    await this.#checkRoom();
    const path = backupPath(this.#folder);
    try {
      // A process that was killed during a backup may have left it.
      await rm(path, { force: true });
      await this.#write(path, ending);
      const file = await open(path);
      const drop = (): void => {
        file.close().catch(() => undefined);
      };
      if (ending.aborted) drop();
      else ending.addEventListener('abort', drop, { once: true });
      await rm(path);
      const { size } = await file.stat();
      return { size, pieces: (reading) => piecesOf(file, reading) };
    } catch (error) {
      await rm(path, { force: true });
      if (error instanceof StoreFullError) throw noRoom(error);
      throw ending.aborted ? storeUnavailable(error) : error;
    }
  }

  async #checkRoom(): Promise<void> {
    const paths = ['', '-wal'].map((suffix) => databasePath(this.#folder) + suffix);
    const sizes = await Promise.all(paths.map(sizeOf));
    const { bavail, bsize } = await statfs(this.#folder);
    const needed = sizes.reduce((sum, size) => sum + size, MARGIN);
    if (bavail * bsize < needed) throw noRoom(new StoreFullError(`${needed} bytes are needed`));
  }
}

function noRoom(cause: Error): DomainError {
  return new DomainError('store-full', 'STORE_PATH has no room for a backup', { cause });
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function* piecesOf(file: FileHandle, ending: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      ending.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw storeUnavailable(error);
  }
}
