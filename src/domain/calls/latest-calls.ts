import { integer, object, required, time, nullable, type Shaped, string } from '../values/shape.ts';

/** How many of the latest calls of a queue are kept. */
export const KEPT_CALLS = 50;

/** How many of them are read at most. */
export const callsLength = integer(0, KEPT_CALLS);

/** A call that ended, as it appears among the latest calls of a queue. */
export const latestCallShape = object('LatestCall', {
  job: required(string, 'The id of the job'),
  attempt: required(integer(1), 'Which attempt of the job it was, from 1'),
  startedAt: required(time, 'When it started, in milliseconds since 1970'),
  durationMs: required(integer(0), 'How many milliseconds it took'),
  status: required(nullable(integer(100)), 'The status of the answer; null when there was none'),
  outcome: required(string, 'The outcome of the attempt; `accepted` where it goes on'),
  reason: required(
    nullable(string),
    'Why it failed, or what was wrong with the answer that completed the job; else null',
  ),
  replica: required(string, 'Which replica made it, as `instance` in its log'),
});

export type LatestCall = Shaped<typeof latestCallShape>;

/** The latest calls of several sources together, newest first. */
export function newestCalls(calls: readonly LatestCall[], length: number): readonly LatestCall[] {
  return calls.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, length);
}
