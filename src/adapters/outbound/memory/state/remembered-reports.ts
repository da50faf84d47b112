import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import { REPORT_MEMORY, type Report } from '../../../../domain/attempts/attempt-report.ts';

/** A report as the store remembers it. */
export interface ReportRecord {
  readonly jobId: string;
  readonly report: Report;
  /** Epoch ms. */
  readonly until: number;
}

/** The reports that recently ended attempts, by the token of the attempt. */
export class RememberedReports {
  /** The oldest come first. */
  readonly #reports = new Map<string, ReportRecord>();
  readonly #changes: ChangesOfQueue;

  constructor(changes: ChangesOfQueue) {
    this.#changes = changes;
  }

  record(token: string): ReportRecord | undefined {
    return this.#reports.get(token);
  }

  /** To be called for the oldest first. */
  restore(token: string, record: ReportRecord): void {
    this.#reports.set(token, record);
  }

  /** The tokens that have a record. */
  get recorded(): IterableIterator<string> {
    return this.#reports.keys();
  }

  add({ jobId, token }: AttemptKey, report: Report, now: number): void {
    this.#forget(now);
    this.#reports.set(token, { jobId, report, until: now + REPORT_MEMORY });
    this.#changes.note('report', token);
  }

  /** The report on the attempt, undefined when none is remembered. */
  find({ jobId, token }: AttemptKey, now: number): Report | undefined {
    this.#forget(now);
    const remembered = this.#reports.get(token);
    return remembered?.jobId === jobId ? remembered.report : undefined;
  }

  #forget(now: number): void {
    for (const [token, { until }] of this.#reports) {
      if (until > now) return;
      this.#reports.delete(token);
      this.#changes.note('report', token);
    }
  }
}
