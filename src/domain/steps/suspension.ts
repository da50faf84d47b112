import type { JobAddress } from '../flows/flow.ts';
import type { Step } from './step.ts';

/**
 * When (epoch ms) a wait without a timeout falls due: the latest time that a place among delayed jobs has in BullMQ's
 * layout.
 */
export const NEVER = 2_199_023_255_551;

/** When a job falls due that has its place among delayed jobs by a rank; undefined for one that waits as long as it takes. */
export function dueAtOf(rank: number): number | undefined {
  return rank >= NEVER ? undefined : rank;
}

/** A step that a suspended job awaits. Times are epoch ms. */
export type Wait = Readonly<{ name: string }> &
  (
    | { readonly kind: 'sleep'; readonly until: number }
    | {
        readonly kind: 'signal';
        readonly key: string;
        /** Absent for one that waits as long as it takes. */
        readonly until?: number | undefined;
      }
    | { readonly kind: 'jobs'; readonly jobs: readonly JobAddress[] }
  );

/** A wait for jobs that were added. */
export type WaitForJobs = Extract<Wait, { readonly kind: 'jobs' }>;

/** What a job awaits from its suspension until it is claimed again. */
export interface Suspension {
  readonly waits: readonly Wait[];
  /** The signals that came: their bodies are values of the job, which become steps once all of the job is at hand. */
  readonly arrived: readonly Step[];
}

/** Whether a wait is over at a time. That for jobs is, unless the job still waits for children. */
export function isOver(wait: Wait, now: number, waitsForJobs: boolean): boolean {
  switch (wait.kind) {
    case 'jobs':
      return !waitsForJobs;
    default:
      return wait.until !== undefined && wait.until <= now;
  }
}

/** When all waits are over at the latest, unless signals or jobs end them before; undefined when that is not known. */
export function latestEnd(waits: readonly Wait[]): number | undefined {
  let latest = 0;
  for (const wait of waits) {
    if (wait.kind === 'jobs' || wait.until === undefined) return undefined;
    latest = Math.max(latest, wait.until);
  }
  return latest;
}

/** The suspension with its sleeps over now, and its waits as at their timeouts. */
export function endedNow(suspension: Suspension, now: number): Suspension {
  return endingWith(suspension, (until = now) => Math.min(until, now));
}

/** The same at a time (epoch ms) instead, whenever they would have been over. */
export function endingAt(suspension: Suspension, at: number): Suspension {
  return endingWith(suspension, () => Math.min(at, NEVER));
}

function endingWith(
  { waits, arrived }: Suspension,
  endOf: (until: number | undefined) => number,
): Suspension {
  const ending = waits.map((wait) =>
    wait.kind === 'jobs' ? wait : { ...wait, until: endOf(wait.until) },
  );
  return { waits: ending, arrived };
}

/** The keys of the signals that are awaited. A wait whose timeout has passed may be among them. */
export function awaitedKeys(waits: readonly Wait[]): readonly string[] {
  return [...new Set(waits.flatMap((wait) => (wait.kind === 'signal' ? [wait.key] : [])))];
}
