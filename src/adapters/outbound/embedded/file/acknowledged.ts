import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { isFullDisk } from './full-disk.ts';
import { syncPath } from './store-files.ts';

/**
 * How many transactions were acknowledged, in a file beside the database: SQLite takes a log that lost its end for
 * whole. Written with each transaction, synced from time to time: after a power failure the number may be too low, and
 * it is never too high.
 */
export class Acknowledged {
  readonly #descriptor: number;
  #isSynced = true;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @returns undefined if there is no such file, or it is as empty as one that was just created; NaN if it is damaged. */
  static read(path: string): number | undefined {
    try {
      const text = readFileSync(path, 'latin1');
      if (text === '') return undefined;
      const sequence = Number(text.slice(0, DIGITS));
      return text === lineOf(sequence) ? sequence : Number.NaN;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Opens the file, or creates it; it holds the number, and is on the disk if it is new. */
  static open(path: string, sequence: number): Acknowledged {
    const isNew = Acknowledged.read(path) === undefined;
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const acknowledged = new Acknowledged(descriptor);
    acknowledged.write(sequence);
    if (isNew) {
      fsyncSync(descriptor);
      syncPath(dirname(path));
    }
    return acknowledged;
  }

  /** On a full disk the number stays as it was. */
  write(sequence: number): void {
    try {
      writeSync(this.#descriptor, lineOf(sequence), 0, 'latin1');
      this.#isSynced = false;
    } catch (error) {
      if (!isFullDisk(error)) throw error;
    }
  }

  async sync(): Promise<void> {
    if (this.#isSynced) return;
    this.#isSynced = true;
    await promisify(fdatasync)(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const DIGITS = 16;

function lineOf(sequence: number): string {
  const digits = String(sequence).padStart(DIGITS, '0');
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`;
}
