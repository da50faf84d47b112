import { DEFAULT_COST } from '../../../../domain/groups/job-group.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';

/**
 * Where a job goes, as one argument of a script: `delay:priority:lifo:ttl:id`, with an empty id for the next number and
 * a ttl of 0 for none; for a job of a group, a zero byte and `cost:group` follow. Every argument costs time on both
 * sides, and most jobs go to the same place, for which the argument is empty.
 */
export function placeOf(opts: NewJob['opts']): string {
  const { jobId = '', delay, priority = 0, lifo = false, ttl = 0, group } = opts;
  const isNothingOfItsOwn = jobId === '' && delay === 0 && priority === 0 && !lifo && ttl === 0;
  if (isNothingOfItsOwn && group === undefined) return '';
  const place = `${delay}:${priority}:${lifo ? 1 : 0}:${ttl}:${jobId}`;
  return group === undefined ? place : `${place}\0${group.cost ?? DEFAULT_COST}:${group.id}`;
}
