import type { GroupRecord } from '../../../../domain/records/group-record.ts';
import type { CallWindow } from './call-window.ts';
import type { JobsOfGroup } from './jobs-of-group.ts';

/** A group in memory. Its places among the other groups are in StoredGroups. */
export interface StoredGroup extends GroupFields {
  /** Its waiting jobs. */
  readonly jobs: JobsOfGroup;
  /** The starts that its limiter counts. */
  window?: CallWindow | undefined;
}

type GroupFields = { -readonly [Field in keyof GroupRecord]: GroupRecord[Field] };
