import { afterStall, type StalledCheck } from '../attempts/stalled.ts';
import { isLocked } from '../records/job-record.ts';
import { waitingJobs } from './add.ts';
import { UNLOCKED, withTakenAttempt } from './holding.ts';
import { putFirst } from './places.ts';
import type { QueueState } from './queue-state.ts';

/**
 * Puts back the jobs that no attempt holds any more. A missing lock alone proves nothing, since its holder may be about
 * to renew it. A job has stalled when it had no lock at the check before and has had none since. A check within the
 * grace period (ms) of the previous one finds none.
 */
export function recoverStalled(
  queue: QueueState,
  maxStalledCount: number,
  grace: number,
  now: number,
): StalledCheck {
  const { jobs } = queue;
  if (jobs.in.active.size === 0 && queue.record.isPulled) queue.change({ isPulled: false });
  const check = now < queue.record.stalledCheckAt ? { stalled: [] } : putBackStalled();
  if (waitingJobs(queue) > 0) queue.wake();
  return check;

  function putBackStalled(): StalledCheck {
    const checkAgainAt = now + grace;
    queue.change({ stalledCheckAt: checkAgainAt });
    // The job that started last is put back first, so the one that started before all others ends up at the head.
    const stalled = jobs.in.active.fromLast().filter((job) => job.suspect && !isLocked(job, now));
    for (const job of stalled) {
      jobs.write(job, {
        ...(job.mustFail === undefined &&
          withTakenAttempt(queue, job, { outcome: 'stalled' }, now)),
        ...UNLOCKED,
        ...afterStall(job.stalledCount, maxStalledCount),
      });
      putFirst(queue, job);
      queue.note('stalled', job.id);
    }
    const suspects = jobs.in.active.fromLast().filter((job) => !isLocked(job, now));
    for (const job of suspects) jobs.write(job, { suspect: true });
    const found = { stalled: stalled.map(({ id }) => id) };
    return suspects.length > 0 ? { ...found, checkAgainAt } : found;
  }
}
