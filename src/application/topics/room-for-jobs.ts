import { groupFull, queueFull } from '../../domain/errors.ts';
import type { LackingRoom } from '../../domain/transitions/add-to-queues.ts';
import type { AddToQueues } from '../ports/topic-port.ts';
import type { MessageJob } from './message-jobs.ts';

/**
 * The jobs of an add without those that full queues and groups make their subscriptions skip.
 *
 * @param isFirst whether the rest of a queue was not tried before: then the latest in excess are left out, later all.
 * @throws DomainError `queue-full` where subscriptions refuse instead.
 */
export function jobsWithRoom(
  jobs: readonly MessageJob[],
  { queues, groups }: LackingRoom,
  maxWaiting: AddToQueues['maxWaiting'],
  isFirst: boolean,
): readonly MessageJob[] {
  const skipped = new Set<MessageJob>();
  for (const { queue, excess } of queues) {
    const waiting = jobs.filter((each) => each.queue === queue && each.job.opts.delay === 0);
    const skippable = waiting.filter(maySkip);
    // A queue that is over its bound already has more in excess than all that the add brings.
    const isRefused = skippable.length < Math.min(excess, waiting.length);
    if (isRefused) throw queueFull(maxWaiting(queue) ?? 0);
    for (const job of isFirst ? skippable.slice(-excess) : skippable) skipped.add(job);
  }
  for (const { position, waiting } of groups) {
    const full = jobs[position] as MessageJob;
    const { path, job } = full;
    if (!maySkip(full)) throw groupFull(`${path}opts`, job.opts.group?.id ?? '', waiting);
    skipped.add(full);
  }
  return jobs.filter((each) => !skipped.has(each));
}

function maySkip({ subscription: { onFull } }: MessageJob): boolean {
  return onFull === 'skip';
}
