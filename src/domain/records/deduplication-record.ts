import type { JobRecord } from './job-record.ts';

/** The job that stands for a deduplication id. */
export interface Standing {
  readonly jobId: string;
  /** Epoch ms; undefined when the id is held until the job ends. */
  readonly endsAt: number | undefined;
}

/** What is kept of a deduplication id. */
export interface DeduplicationRecord {
  readonly standing?: Standing | undefined;
  /** The job to add when the active one ends. */
  readonly successor?: JobRecord | undefined;
}
