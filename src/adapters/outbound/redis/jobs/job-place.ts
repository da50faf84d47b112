import { DEFAULT_COST } from '../../../../domain/groups/job-group.ts';
import { USUAL_COST } from '../../../../domain/queues/start-cost.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';

/**
 * Where a job goes, as one argument of a script: `delay:priority:lifo:ttl:id`, with an empty id for the next number and
 * a ttl of 0 for none; for a job of a group, a zero byte and `cost:group` follow, and where its start counts other than
 * 1, a byte of one and that cost. Every argument costs time on both sides, and most jobs go to the same place, for which
 * the argument is empty.
 */
export function placeOf(opts: NewJob['opts']): string {
  const { jobId = '', delay, priority = 0, lifo = false, ttl = 0, group } = opts;
  const cost = ownCost(opts);
  const isNothingOfItsOwn = jobId === '' && delay === 0 && priority === 0 && !lifo && ttl === 0;
  if (isNothingOfItsOwn && group === undefined && cost === '') return '';
  const place = `${delay}:${priority}:${lifo ? 1 : 0}:${ttl}:${jobId}`;
  const inGroup = group === undefined ? '' : `\0${group.cost ?? DEFAULT_COST}:${group.id}`;
  return place + inGroup + (cost === '' ? '' : `\u0001${cost}`);
}

/** What the start of a job counts, as a field of its hash; empty for the usual cost. */
export function ownCost({ cost = USUAL_COST }: Pick<NewJob['opts'], 'cost'>): string {
  return cost === USUAL_COST ? '' : String(cost);
}
