import type { Attempt } from '../../../typescript/src/api.ts';

/** Attempts by time: one that was put off or suspended has the number of the attempt that it belongs to. */
export function inOrder(attempts: readonly Attempt[]): readonly Attempt[] {
  return [...attempts].sort((one, other) => one.startedAt - other.startedAt);
}

/** The id of the element of an attempt. @param place among those on record, by time. */
export function attemptId(place: number): string {
  return `attempt-${place + 1}`;
}

/** How many names of steps are listed in a line. */
const LISTED = 8;

export function namesInLine(names: readonly string[]): string {
  const listed = names.slice(0, LISTED).join(', ');
  return names.length > LISTED ? `${listed} and ${names.length - LISTED} more` : listed;
}
