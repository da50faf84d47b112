import type { JobAddress } from '../flows/flow.ts';
import type { Step } from './step.ts';

/**
 * When (epoch ms) a wait without a timeout falls due: the latest time that a place among delayed jobs has in BullMQ's
 * layout.
 */
export const NEVER = 2_199_023_255_551;

/** When (epoch ms) a signal came, with the bytes of its body, which is a value of the job with this number. */
export type Arrival = Pick<Step, 'number' | 'at' | 'size'>;

/** A step that a suspended job awaits. Times are epoch ms. */
export type Wait = Readonly<{ name: string }> &
  (
    | { readonly kind: 'sleep'; readonly until: number }
    | {
        readonly kind: 'signal';
        readonly key: string;
        /** Absent for one that waits as long as it takes. */
        readonly until?: number;
        /** The signal, once it came: its body is a saved value by now. Null once it is known to have come too late. */
        readonly came?: Arrival | null;
      }
    | { readonly kind: 'jobs'; readonly jobs: readonly JobAddress[] }
  );

/** A wait for jobs that were added. */
export type WaitForJobs = Extract<Wait, { readonly kind: 'jobs' }>;

/** What a job awaits from its suspension until it is claimed again. */
export interface Suspension {
  readonly waits: readonly Wait[];
}

/** Whether a wait is over at a time. That for jobs is, unless the job still waits for children. */
export function isOver(wait: Wait, now: number, waitsForJobs: boolean): boolean {
  switch (wait.kind) {
    case 'sleep':
      return wait.until <= now;
    case 'signal':
      return wait.came !== undefined || (wait.until !== undefined && wait.until <= now);
    case 'jobs':
      return !waitsForJobs;
  }
}

/** What is still awaited at a time. */
export function awaited(
  { waits }: Suspension,
  now: number,
  waitsForJobs: boolean,
): readonly Wait[] {
  return waits.filter((wait) => !isOver(wait, now, waitsForJobs));
}

/** When all waits are over at the latest, unless signals or jobs end them before; undefined when that is not known. */
export function latestEnd(waits: readonly Wait[]): number | undefined {
  let latest = 0;
  for (const wait of waits) {
    if (wait.kind === 'jobs' || (wait.kind === 'signal' && wait.until === undefined)) {
      return undefined;
    }
    latest = Math.max(latest, wait.until ?? 0);
  }
  return latest;
}

/** The suspension with its sleeps over now, and its waits as at their timeouts. */
export function endedNow({ waits }: Suspension, now: number): Suspension {
  return {
    waits: waits.map((wait) => {
      if (wait.kind === 'jobs' || (wait.kind === 'signal' && wait.came !== undefined)) return wait;
      return { ...wait, until: Math.min(wait.until ?? now, now) };
    }),
  };
}

/** The keys of the signals that it awaits. A wait whose timeout has passed may be among them. */
export function awaitedKeys({ waits }: Suspension): readonly string[] {
  return waits.flatMap((wait) =>
    wait.kind === 'signal' && wait.came === undefined ? [wait.key] : [],
  );
}

/** The suspension after a signal came. @param arrive returns the arrival for a wait that it ends. */
export function withSignal(
  { waits }: Suspension,
  key: string,
  now: number,
  arrive: () => Arrival,
): Suspension {
  return {
    waits: waits.map((wait) => {
      if (wait.kind !== 'signal' || wait.key !== key || wait.came !== undefined) return wait;
      return { ...wait, came: isOver(wait, now, false) ? null : arrive() };
    }),
  };
}
