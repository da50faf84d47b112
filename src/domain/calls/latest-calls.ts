import { integer } from '../values/shape.ts';

/** How many of the latest calls of a queue are kept. */
export const KEPT_CALLS = 50;

/** How many of them are read at most. */
export const callsLength = integer(0, KEPT_CALLS);

/** A call that ended, as it appears among the latest calls of a queue. */
export interface LatestCall {
  /** The id of the job. */
  readonly job: string;
  /** Which attempt of the job it was, from 1. */
  readonly attempt: number;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The status of the answer, null without one. */
  readonly status: number | null;
  /** The outcome of the attempt; `accepted` for a job that its endpoint will complete later. */
  readonly outcome: string;
  /** Why the call failed, or what was wrong with the answer that completed the job; null otherwise. */
  readonly reason: string | null;
  /** The replica that made the call, as its log lines name it. */
  readonly replica: string;
}

/** The latest calls of several sources together, newest first. */
export function newestCalls(calls: readonly LatestCall[], length: number): readonly LatestCall[] {
  return calls.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, length);
}
