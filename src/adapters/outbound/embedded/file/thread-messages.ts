import type { FoundValues, RecordGroups } from '../../memory/records/record.ts';
import type { JoinedRecords } from './joined-records.ts';
import type { ErrorMessage } from './store-errors.ts';

/** The folder that a thread opens. */
export interface ThreadSettings {
  readonly folder: string;
  /** The module of the driver, if it is not the one that suits this Node.js. */
  readonly driver: string | undefined;
}

/** What the thread is asked for. */
export type ThreadRequest =
  | ({ readonly ask: 'open' } & ThreadSettings)
  | { readonly ask: 'read' }
  | { readonly ask: 'check' }
  | { readonly ask: 'find'; readonly groups: RecordGroups; readonly most: number }
  | { readonly ask: 'write'; readonly changes: readonly JoinedRecords[] }
  | { readonly ask: 'mend' }
  | { readonly ask: 'scrub' }
  | { readonly ask: 'backup'; readonly path: string }
  | { readonly ask: 'end-backup' }
  | { readonly ask: 'close' };

/** What a request is answered with; others with nothing. */
export interface ThreadResults {
  readonly open: OpenedStore;
  readonly read: readonly JoinedRecords[];
  /** Whether that was the last piece. */
  readonly check: boolean;
  readonly find: FoundValues;
  /** Whether the disk has room for another write. */
  readonly write: boolean;
  readonly mend: boolean;
}

export interface OpenedStore {
  /** How many records there are. */
  readonly count: number;
  /** Whether the disk has room for writes. */
  readonly hasRoom: boolean;
  /** Whether all of it is checked as it is read. */
  readonly isSmall: boolean;
}

export interface ThreadAnswer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: ErrorMessage;
}
