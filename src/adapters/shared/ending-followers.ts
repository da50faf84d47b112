import type { QueueName } from '../../domain/queue-name.ts';
import type { Following, ToldEnding } from '../../application/ports/job-endings-port.ts';

type Listener = (ending: ToldEnding) => void;

interface Followers {
  /** Those that have not said yet for which job they are here, with what ended since they came. */
  readonly undecided: Set<Map<string, ToldEnding>>;
  readonly listeners: Map<string, Set<Listener>>;
}

/** The followers of queues on this replica, which a store notifies of the ends of jobs. */
export class EndingFollowers {
  readonly #queues = new Map<QueueName, Followers>();

  follows(queue: QueueName): boolean {
    return this.#queues.has(queue);
  }

  follow(queue: QueueName): Following {
    const followers: Followers = this.#queues.get(queue) ?? {
      undecided: new Set(),
      listeners: new Map(),
    };
    this.#queues.set(queue, followers);
    const { undecided, listeners } = followers;
    const ended = new Map<string, ToldEnding>();
    undecided.add(ended);
    let leave = (): void => undefined;
    return {
      listen: (jobId, listener) => {
        undecided.delete(ended);
        const those = listeners.get(jobId) ?? new Set<Listener>();
        listeners.set(jobId, those.add(listener));
        leave = () => {
          those.delete(listener);
          if (those.size === 0 && listeners.get(jobId) === those) listeners.delete(jobId);
        };
        const ending = ended.get(jobId);
        if (ending !== undefined) listener(ending);
      },
      end: () => {
        undecided.delete(ended);
        leave();
        const isLast = undecided.size === 0 && listeners.size === 0;
        if (isLast && this.#queues.get(queue) === followers) this.#queues.delete(queue);
      },
    };
  }

  tell(queue: QueueName, jobId: string, ending: ToldEnding): void {
    const followers = this.#queues.get(queue);
    if (followers === undefined) return;
    for (const ended of followers.undecided) ended.set(jobId, ending);
    for (const listener of followers.listeners.get(jobId) ?? []) listener(ending);
  }
}
