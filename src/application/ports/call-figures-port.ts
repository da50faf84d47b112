import type { CallFigures } from '../../domain/call-figures.ts';
import type { QueueName } from '../../domain/queue-name.ts';

/** What one source counted of the calls of a queue within one minute. */
export interface MinuteOfCalls {
  readonly queue: QueueName;
  /** The number of the minute since 1970. */
  readonly minute: number;
  /** Who counted: a process of the service. */
  readonly source: string;
  readonly figures: CallFigures;
}

/**
 * How many minutes before the current one still count. A minute counts as a whole, so that nothing of the last ten
 * minutes is missing.
 */
export const KEPT_MINUTES = 10;

/**
 * Keeps what each replica counted of the latest calls. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached.
 */
export interface CallFiguresPort {
  /**
   * Keeps what a source has counted so far within a minute, in place of what it gave for that minute before; so
   * asking again is safe. It goes by itself when the minute does not count any more, and with its queue; of a
   * queue that is gone nothing is kept.
   */
  save(minute: MinuteOfCalls): Promise<void>;

  /** What all sources counted from the first minute to the last, both included, in no order. */
  read(queue: QueueName, first: number, last: number): Promise<readonly CallFigures[]>;
}
