import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Child } from './children.ts';
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

  /** Applies the end of a child to its parent. */
  childEnded(parentId: string, child: StoredJob, queue: QueueName): void {
    const parent = this.#jobs.find(parentId);
    const known = parent?.children?.waitedFor(queue, child.id);
    if (parent?.children === undefined || known === undefined) return;
    const { returnvalue } = child;
    const rule = child.status === 'completed' ? 'completed' : child.parent?.onFailure;
    switch (rule) {
      case 'completed':
        parent.children.end(known, { state: 'completed', returnvalue });
        this.#goOnUnlessWaiting(parent);
        break;
      case 'ignore':
        parent.children.end(known, { state: 'failed', returnvalue: 'null' });
        this.#goOnUnlessWaiting(parent);
        break;
      case 'continue':
        parent.children.end(known, { state: 'failed', returnvalue: 'null' });
        this.#goOn(parent);
        break;
      case 'fail':
        parent.children.end(known, { state: 'failed', returnvalue: 'null' });
        this.#failWith(parent, known);
        break;
      default:
      // The child may be retried and then complete.
    }
  }

  /**
   * A parent does not wait for a removed child. When the queue of the parent is drained, a parent with no other child
   * to wait for is removed too.
   */
  childRemoved(parentId: string, { queue, id }: JobAddress, isDrained: boolean): void {
    const parent = this.#jobs.find(parentId);
    const known = parent?.children?.waitedFor(queue, id);
    if (parent?.children === undefined || known === undefined) return;
    parent.children.forget(known);
    const goesAlong = isDrained && queue === this.#name && parent.status === 'waiting-children';
    if (goesAlong && !parent.children.areWaitedFor) this.#jobs.discard(parent, true);
    else this.#goOnUnlessWaiting(parent);
  }

  #goOnUnlessWaiting(parent: StoredJob): void {
    if (parent.children?.areWaitedFor === false) this.#goOn(parent);
  }

  #goOn(parent: StoredJob): void {
    if (parent.status !== 'waiting-children') return;
    this.#jobs.endWaiting(parent, this.#clock.now());
    this.#wakeUp.notify();
  }

  /** The parent fails as soon as a claim takes it, or, when it is already active, at its next attempt. */
  #failWith(parent: StoredJob, { queue, id }: Child): void {
    if (parent.status === 'failed') return;
    parent.mustFail = `child ${this.#prefix}:${queue}:${id} failed`;
    if (parent.status === 'delayed') {
      this.#jobs.moveBehind(parent);
      this.#wakeUp.notify();
    } else this.#goOn(parent);
  }
}
