import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import {
  afterChildEnded,
  afterChildRemoved,
  type Parent,
  type ParentMove,
} from '../../../../domain/flows/family.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { isStored, type ListedJob } from './listed-job.ts';
import type { QueueJobs } from './queue-jobs.ts';
import type { StoredJob } from './stored-job.ts';
import type { WakeUp } from './wake-up.ts';

/** The jobs of a queue that wait for their children, which may be in any queue. */
export class WaitingParents {
  readonly #jobs: QueueJobs;
  readonly #name: QueueName;
  readonly #prefix: string;
  readonly #clock: ClockPort;
  readonly #wakeUp: WakeUp;

  /** @param prefix of qualified queue names. */
  constructor(jobs: QueueJobs, name: QueueName, prefix: string, clock: ClockPort, wakeUp: WakeUp) {
    this.#jobs = jobs;
    this.#name = name;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#wakeUp = wakeUp;
  }

  /** A child of a parent starts over. */
  childStartedOver(parentId: string, queue: QueueName, id: string): void {
    const parent = this.#jobs.find(parentId);
    if (parent?.children === undefined) return;
    parent.children.startOver(queue, id);
    this.#jobs.childChanged(parent, { queue, id });
  }

  /** Applies the end of a child to its parent. */
  childEnded(parentId: string, child: StoredJob, queue: QueueName): void {
    const parent = this.#jobs.find(parentId);
    const known = parent?.children?.waitedFor(queue, child.id);
    if (parent?.children === undefined || known === undefined) return;
    const {
      ending,
      parent: move,
      mustFail = false,
    } = afterChildEnded(
      parentAt(parent),
      child.status === 'completed' ? 'completed' : 'failed',
      known.onFailure,
    );
    if (ending === undefined) return;
    const returnvalue = ending === 'completed' ? child.returnvalue : 'null';
    parent.children.end(known, { state: ending, returnvalue });
    this.#jobs.childChanged(parent, known);
    // One that ended makes no attempt before it is retried, which forgets it.
    if (mustFail && isStored(parent)) {
      parent.mustFail = `child ${this.#prefix}:${queue}:${child.id} failed`;
      this.#jobs.changed(parent);
    }
    this.#move(parent, move);
  }

  /**
   * A parent does not wait for a removed child. When the queue of the parent is drained, a parent with no other child
   * to wait for is removed too.
   */
  childRemoved(parentId: string, { queue, id }: JobAddress, isDrained: boolean): void {
    const parent = this.#jobs.find(parentId);
    const known = parent?.children?.waitedFor(queue, id);
    if (parent?.children === undefined || known === undefined) return;
    const move = afterChildRemoved(parentAt(parent), isDrained && queue === this.#name);
    parent.children.forget(known);
    this.#jobs.childChanged(parent, known);
    this.#move(parent, move);
  }

  #move(parent: ListedJob, move: ParentMove): void {
    if (move === 'removed') this.#jobs.discard(parent, true);
    if (move === 'removed' || move === 'stays' || !isStored(parent)) return;
    switch (move) {
      case 'starts':
        this.#jobs.endWaiting(parent, this.#clock.now());
        break;
      case 'is-due':
        parent.delay = 0;
        this.#jobs.endWaiting(parent, this.#clock.now());
    }
    this.#wakeUp.notify();
  }
}

function parentAt({ status = 'waiting', children }: ListedJob): Parent {
  return { state: status, waitsFor: children?.waitsFor ?? 0 };
}
