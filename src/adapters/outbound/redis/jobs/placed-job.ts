import type { JobToStage } from './job-to-stage.ts';

/** A job to stage, and where. */
export interface PlacedJob {
  readonly job: JobToStage;
  /** Beginning with 1. */
  readonly position: number;
  readonly id: string;
  /** The key that BullMQ has for the job. */
  readonly key: string;
  /** The key of its hash until it becomes visible. */
  readonly hash: string;
  readonly isGiven: boolean;
  /** Its place among the waiting jobs of its group, if it has one. */
  readonly order: string;
  /** The key of its deduplication id if it has one, and for how many milliseconds; empty until the job ends. */
  readonly holder: { readonly key: string; readonly ttl: string } | undefined;
}
