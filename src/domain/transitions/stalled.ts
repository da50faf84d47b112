import { afterStall, type StalledCheck } from '../attempts/stalled.ts';
import { isLocked, type IndexedJob } from '../records/job-record.ts';
import { waitingJobs } from './add.ts';
import { UNLOCKED, withTakenAttempt } from './holding.ts';
import { putFirst } from './places.ts';
import type { QueueState } from './queue-state.ts';

/** The most jobs that one check puts back. */
const MOST_RECOVERED = 1000;

/** How many jobs it needs all of at a time. */
const MOST_AT_ONCE = 10;

/**
 * Puts back the jobs that no attempt holds any more. A missing lock alone proves nothing, since its holder may be about
 * to renew it. A job has stalled when it had no lock at the check before and has had none since. A check within the
 * grace period (ms) of the previous one finds none.
 *
 * @returns those that it put back before the first one that is not at hand: the step is then to be taken again. Where
 * more stalled than one check puts back, the next one counts at once.
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
    // The job that started last is put back first, so the one that started before all others ends up at the head.
    const found = jobs.in.active.fromLast().filter((job) => job.suspect && !isLocked(job, now));
    const stalled = found.slice(0, MOST_RECOVERED);
    const ids = stalled.map(({ id }) => id);
    for (let done = 0; done < stalled.length; done += MOST_AT_ONCE) {
      const some = stalled.slice(done, done + MOST_AT_ONCE);
      const missing = some.filter((job) => recordsStall(job) && !jobs.isAtHand(job));
      if (missing.length > 0) return { stalled: ids.slice(0, done) };
      for (const job of some) putBackOne(job);
    }
    if (stalled.length === MOST_RECOVERED) return { stalled: ids, checkAgainAt: now };
    queue.change({ stalledCheckAt: checkAgainAt });
    const suspects = jobs.in.active.fromLast().filter((job) => !isLocked(job, now));
    for (const job of suspects) jobs.write(job, { suspect: true });
    return { stalled: ids, ...(suspects.length > 0 && { checkAgainAt }) };
  }

  function putBackOne(job: IndexedJob): void {
    if (recordsStall(job)) {
      const whole = jobs.whole(job);
      jobs.write(whole, withTakenAttempt(queue, whole, { outcome: 'stalled' }, now));
    }
    jobs.write(job, { ...UNLOCKED, ...afterStall(job.stalledCount, maxStalledCount) });
    putFirst(queue, job);
    queue.note('stalled', job.id);
  }
}

/** Whether the attempt that stalled is recorded: one that must fail makes no call. */
function recordsStall({ mustFail }: IndexedJob): boolean {
  return mustFail === undefined;
}
