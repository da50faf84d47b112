import type { Report } from '../attempts/attempt-report.ts';

/** A report that ended an attempt, as a queue remembers it. */
export interface RememberedReport {
  readonly jobId: string;
  readonly report: Report;
  /** Epoch ms. */
  readonly until: number;
}
