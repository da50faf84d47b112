/**
 * The disk is full, and so is the room that was kept for this case. Nothing of the write is stored, and it may be repeated
 * later. If the process ends before, the write may be there after all: as a whole or not at all.
 */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError';
}

/** A write failed otherwise, so that nobody knows what is stored. It must not be repeated on the same file. */
export class StoreFailedError extends Error {
  override readonly name = 'StoreFailedError';
}

/** The folder cannot be opened as a store; the message is one line for the operator. */
export class StoreRefusedError extends Error {
  override readonly name: string = 'StoreRefusedError';
}

/** A file of the store is damaged. The message names the file, the place and the command that recovers the rest. */
export class StoreDamagedError extends StoreRefusedError {
  override readonly name = 'StoreDamagedError';
}

/** @param damage the file, the place and what is wrong there; SQLite says it in several lines. */
export function damagedStore(folder: string, damage: string): StoreDamagedError {
  return new StoreDamagedError(
    `STORE_PATH ${folder} is damaged: ${damage.replaceAll(/\s+/g, ' ')}. ` +
      `"jobgate store recover ${folder} FILE" writes what can be read to FILE`,
  );
}

const CLASSES = [StoreFullError, StoreFailedError, StoreRefusedError, StoreDamagedError];

/** An error as it passes from one thread to another, which would lose its class. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
}

export function toErrorMessage(error: unknown): ErrorMessage {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) };
}

export function fromErrorMessage({ name, message }: ErrorMessage): Error {
  const Class = CLASSES.find((each) => each.name === name) ?? Error;
  return new Class(message);
}
