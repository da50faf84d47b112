import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { EndingSubscription, EndingNotice } from '../../application/ports/job-endings-port.ts';

type EndingListener = (ending: EndingNotice) => void;

interface QueueSubscribers {
  /** For each subscriber that has not named its job yet: the jobs that ended since it subscribed. */
  readonly undecided: Set<Map<string, EndingNotice>>;
  readonly listeners: Map<string, Set<EndingListener>>;
}

/** The subscribers of this replica to the ends of jobs, by queue. The store notifies them. */
export class EndingSubscribers {
  readonly #queues = new Map<QueueName, QueueSubscribers>();

  has(queue: QueueName): boolean {
    return this.#queues.has(queue);
  }

  subscribe(queue: QueueName): EndingSubscription {
    const subscribers: QueueSubscribers = this.#queues.get(queue) ?? {
      undecided: new Set(),
      listeners: new Map(),
    };
    this.#queues.set(queue, subscribers);
    const { undecided, listeners } = subscribers;
    const ended = new Map<string, EndingNotice>();
    undecided.add(ended);
    let leave = (): void => undefined;
    return {
      listen: (jobId, listener) => {
        undecided.delete(ended);
        const ofJob = listeners.get(jobId) ?? new Set<EndingListener>();
        listeners.set(jobId, ofJob.add(listener));
        leave = () => {
          ofJob.delete(listener);
          if (ofJob.size === 0 && listeners.get(jobId) === ofJob) listeners.delete(jobId);
        };
        const ending = ended.get(jobId);
        if (ending !== undefined) listener(ending);
      },
      end: () => {
        undecided.delete(ended);
        leave();
        const isLast = undecided.size === 0 && listeners.size === 0;
        if (isLast && this.#queues.get(queue) === subscribers) this.#queues.delete(queue);
      },
    };
  }

  notify(queue: QueueName, jobId: string, ending: EndingNotice): void {
    const subscribers = this.#queues.get(queue);
    if (subscribers === undefined) return;
    for (const ended of subscribers.undecided) ended.set(jobId, ending);
    for (const listener of subscribers.listeners.get(jobId) ?? []) listener(ending);
  }
}
