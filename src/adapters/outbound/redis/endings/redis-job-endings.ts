import { EndingSubscribers } from '../../../shared/ending-subscribers.ts';
import type {
  EndingSubscription,
  JobEndingsPort,
} from '../../../../application/ports/job-endings-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { EventStreamReader, StreamListener } from '../events/event-stream-reader.ts';
import { endingIn } from './ending-event.ts';

/** Learns of the ends of jobs from the events that BullMQ's scripts write. */
export class RedisJobEndings implements JobEndingsPort {
  readonly #reader: EventStreamReader;
  readonly #subscribers = new EndingSubscribers();
  /** One listener for all subscribers of a queue. */
  readonly #streamListeners = new Map<QueueName, StreamListener>();

  constructor(reader: EventStreamReader) {
    this.#reader = reader;
  }

  async subscribe(queue: QueueName): Promise<EndingSubscription> {
    const subscription = this.#subscribers.subscribe(queue);
    const listener = this.#streamListeners.get(queue) ?? this.#listener(queue);
    this.#streamListeners.set(queue, listener);
    let endReading = (): void => undefined;
    const end = (): void => {
      subscription.end();
      if (this.#subscribers.has(queue)) return;
      this.#streamListeners.delete(queue);
      endReading();
    };
    try {
      const stream = await this.#reader.subscribe(queue, listener);
      endReading = () => {
        stream.end();
      };
      return {
        listen: (jobId, listener) => {
          subscription.listen(jobId, listener);
        },
        end,
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  #listener(queue: QueueName): StreamListener {
    return {
      received: (entries) => {
        for (const [, fields] of entries) {
          const ended = endingIn(fields ?? []);
          if (ended !== undefined) this.#subscribers.notify(queue, ended.jobId, ended.ending);
        }
      },
    };
  }
}
