import type { NewJob } from '../../../../domain/job.ts';

/**
 * Where a job goes, as one argument of a script: `delay:priority:lifo:id`, the id empty for the next number.
 * Every argument costs time on both sides, and most jobs go to the same place: theirs is empty.
 */
export function placeOf({ jobId = '', delay, priority = 0, lifo = false }: NewJob['opts']): string {
  if (jobId === '' && delay === 0 && priority === 0 && !lifo) return '';
  return `${delay}:${priority}:${lifo ? 1 : 0}:${jobId}`;
}

/** Lua: takes such an argument apart. */
export const PLACE_OF = `local function placeOf(place)
  if place == "" then return "0", "0", "0", "" end
  return string.match(place, "^(%d+):(%d+):(%d):(.*)$")
end
`;
