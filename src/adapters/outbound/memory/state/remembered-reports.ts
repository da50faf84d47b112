import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import { REPORT_MEMORY, type Report } from '../../../../domain/attempts/attempt-report.ts';

interface Remembered {
  readonly jobId: string;
  readonly report: Report;
  /** Epoch ms. */
  readonly until: number;
}

/** The reports that recently ended attempts, by the token of the attempt. */
export class RememberedReports {
  /** The oldest come first. */
  readonly #reports = new Map<string, Remembered>();

  add({ jobId, token }: AttemptKey, report: Report, now: number): void {
    this.#forget(now);
    this.#reports.set(token, { jobId, report, until: now + REPORT_MEMORY });
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
    }
  }
}
