import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** @param error an error of a call to the file system. */
export function isFullDisk(error: unknown): boolean {
  return FULL.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Tries whether so many bytes have room in a folder: some failures of SQLite do not say that the disk is full. */
export function hasRoom(folder: string, bytes: number): boolean {
  const path = join(folder, 'room');
  try {
    writeFileSync(path, Buffer.alloc(bytes), { mode: 0o600 });
    return true;
  } catch (error) {
    return !isFullDisk(error);
  } finally {
    rmSync(path, { force: true });
  }
}
