import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { EndingSubscription, EndingNotice } from '../../application/ports/job-endings-port.ts';

type EndingListener = (ending: EndingNotice) => void;

interface QueueSubscribers {
  /** For each subscriber that has not named its job yet: the jobs that ended since it subscribed, and when that was. */
  readonly undecided: Map<Map<string, EndingNotice>, number>;
  /** By job, each with the moment of its subscription. */
  readonly listeners: Map<string, Map<EndingListener, number>>;
}

/** The subscribers of this replica to the ends of jobs, by queue. The store notifies them. */
export class EndingSubscribers {
  readonly #queues = new Map<QueueName, QueueSubscribers>();
  /** Counts subscriptions and ends, for their order. */
  #moment = 0;

  has(queue: QueueName): boolean {
    return this.#queues.has(queue);
  }

  subscribe(queue: QueueName): EndingSubscription {
    const subscribers: QueueSubscribers = this.#queues.get(queue) ?? {
      undecided: new Map(),
      listeners: new Map(),
    };
    this.#queues.set(queue, subscribers);
    const { undecided, listeners } = subscribers;
    const ended = new Map<string, EndingNotice>();
    const since = (this.#moment += 1);
    undecided.set(ended, since);
    let leave = (): void => undefined;
    return {
      listen: (jobId, listener) => {
        undecided.delete(ended);
        const ofJob = listeners.get(jobId) ?? new Map<EndingListener, number>();
        listeners.set(jobId, ofJob.set(listener, since));
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
    this.notice(queue, jobId, ending)();
  }

  /**
   * Takes note of an end that happens now.
   *
   * @returns a function that reports it, now or later, to those who had subscribed by then: for others it may be the end
   *   of an earlier job of that id.
   */
  notice(queue: QueueName, jobId: string, ending: EndingNotice): () => void {
    const moment = (this.#moment += 1);
    return () => {
      const { undecided = [], listeners } = this.#queues.get(queue) ?? {};
      for (const [ended, since] of undecided) if (since < moment) ended.set(jobId, ending);
      for (const [listener, since] of listeners?.get(jobId) ?? []) {
        if (since < moment) listener(ending);
      }
    };
  }
}
