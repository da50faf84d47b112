import { EndingFollowers } from '../../../shared/ending-followers.ts';
import type { Following, JobEndingsPort } from '../../../../application/ports/job-endings-port.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { EventStreamReader, StreamListener } from '../events/event-stream-reader.ts';
import { endingIn } from './ending-event.ts';

/** Hears of ends by the events that BullMQ's scripts write. */
export class RedisJobEndings implements JobEndingsPort {
  readonly #reader: EventStreamReader;
  readonly #followers = new EndingFollowers();
  /** One for all that follow a queue. */
  readonly #listeners = new Map<QueueName, StreamListener>();

  constructor(reader: EventStreamReader) {
    this.#reader = reader;
  }

  async follow(queue: QueueName): Promise<Following> {
    const following = this.#followers.follow(queue);
    const listener = this.#listeners.get(queue) ?? this.#listener(queue);
    this.#listeners.set(queue, listener);
    let endReading = (): void => undefined;
    const end = (): void => {
      following.end();
      if (this.#followers.follows(queue)) return;
      this.#listeners.delete(queue);
      endReading();
    };
    try {
      const stream = await this.#reader.follow(queue, listener);
      endReading = () => {
        stream.end();
      };
      return {
        listen: (jobId, told) => {
          following.listen(jobId, told);
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
      told: (entries) => {
        for (const [, fields] of entries) {
          const told = endingIn(fields ?? []);
          if (told !== undefined) this.#followers.tell(queue, told.jobId, told.ending);
        }
      },
    };
  }
}
