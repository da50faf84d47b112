import type { FoundValues, RecordGroups } from '../../memory/records/record.ts';
import type { JoinedRecords } from './joined-records.ts';
import type { ErrorMessage } from './store-errors.ts';

/** The methods of the thread of a file. A message calls one by its name, with its arguments. */
export interface ThreadMethods {
  /** @param driver the module of the driver, if it is not the one that suits this Node.js. */
  open(folder: string, driver: string | undefined): Promise<OpenedStore>;
  read(): readonly JoinedRecords[];
  /** @returns whether that was the last piece. */
  check(): boolean;
  find(groups: RecordGroups, most: number): FoundValues;
  /** @returns whether the disk has room for another write. */
  write(changes: readonly JoinedRecords[]): boolean;
  mend(): boolean;
  scrub(): void;
  backup(path: string): Promise<void>;
  endBackup(): void;
  close(): void;
}

export interface OpenedStore {
  /** How many records there are. */
  readonly count: number;
  /** Whether the disk has room for writes. */
  readonly hasRoom: boolean;
  /** Whether all of it is checked as it is read. */
  readonly isSmall: boolean;
}

export interface ThreadCall {
  readonly number: number;
  readonly name: keyof ThreadMethods;
  readonly given: readonly unknown[];
}

export interface ThreadAnswer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: ErrorMessage;
}
