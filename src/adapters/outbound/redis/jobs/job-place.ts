import type { NewJob } from '../../../../domain/jobs/job.ts';

/**
 * Where a job goes, as one argument of a script: `delay:priority:lifo:ttl:id`, the id empty for the next number
 * and the ttl 0 for none.
 * Every argument costs time on both sides, and most jobs go to the same place: theirs is empty.
 */
export function placeOf(opts: NewJob['opts']): string {
  const { jobId = '', delay, priority = 0, lifo = false, ttl = 0 } = opts;
  if (jobId === '' && delay === 0 && priority === 0 && !lifo && ttl === 0) return '';
  return `${delay}:${priority}:${lifo ? 1 : 0}:${ttl}:${jobId}`;
}
