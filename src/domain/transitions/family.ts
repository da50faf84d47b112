import { afterChildEnded } from '../flows/family.ts';
import { hasEnded, type JobRecord } from '../records/job-record.ts';
import type { QueueState } from './queue-state.ts';
import { asParent, moveParent } from './removal.ts';

/* What happens to parents, which may be in any queue, when their children end or start over. */

/** Applies the end of a child to its parent. */
export function childEnded(ofChild: QueueState, child: JobRecord, now: number): void {
  const { name, prefix } = ofChild;
  const queue = child.parent && ofChild.other(child.parent.queue);
  const parent = child.parent && queue?.jobs.find(child.parent.id);
  const children = parent && queue?.jobs.childrenOf(parent);
  const known = children?.waitedFor({ queue: name, id: child.id });
  if (queue === undefined || parent === undefined || known === undefined) return;
  const status = child.status === 'completed' ? 'completed' : 'failed';
  const after = afterChildEnded(asParent(queue, parent), status, known.onFailure);
  const { ending, parent: move, mustFail = false } = after;
  if (ending === undefined) return;
  const isAdded = !hasEnded(parent) && queue.jobs.indexed(parent).suspension !== undefined;
  const failure = isAdded ? JSON.stringify(child.failedReason ?? '') : 'null';
  children?.end(known, ending, ending === 'completed' ? child.returnvalue : failure);
  // One that ended makes no attempt before it is retried, which forgets it.
  if (mustFail && !hasEnded(parent)) {
    queue.jobs.write(queue.jobs.indexed(parent), {
      mustFail: `child ${prefix}:${name}:${child.id} failed`,
    });
  }
  moveParent(queue, parent, move, now);
}

/** A child that had ended starts over. */
export function childStartedOver(ofChild: QueueState, { id, parent }: JobRecord): void {
  const jobs = parent && ofChild.other(parent.queue)?.jobs;
  const job = parent && jobs?.find(parent.id);
  if (job !== undefined) jobs?.childrenOf(job)?.startOver({ queue: ofChild.name, id });
}
