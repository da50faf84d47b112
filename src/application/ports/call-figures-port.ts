import type { CallFigures } from '../../domain/calls/call-figures.ts';
import type { Traces } from '../../domain/jobs/traces.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** What one source counted of the calls of a queue within one minute. */
export interface MinuteOfCalls {
  readonly queue: QueueName;
  /** The number of the minute since 1970. */
  readonly minute: number;
  /** The process that counted. */
  readonly source: string;
  readonly figures: CallFigures;
}

/**
 * How many minutes before the current one are kept. Minutes are kept as a whole, so that the last ten minutes are
 * always complete.
 */
export const KEPT_MINUTES = 10;

/**
 * Stores the figures of the latest calls, as each replica counted them. Methods throw DomainError `store-unavailable`
 * when the store cannot be reached.
 */
export interface CallFiguresPort {
  /**
   * Stores the figures of a source for a minute so far, replacing its earlier figures for that minute; so repeating the
   * call is safe. The figures expire after KEPT_MINUTES and are removed with the queue; none are stored for a queue
   * that no longer exists.
   */
  save(minute: MinuteOfCalls): Promise<void>;

  /** Removes what the last failures of the calls of a queue say of erased jobs. @param now epoch ms. */
  forget(queue: QueueName, traces: Traces, now: number): Promise<void>;

  /**
   * The figures of all sources from the first minute to the last, both inclusive, for each of the queues, in no
   * particular order.
   */
  readEach(
    queues: readonly QueueName[],
    first: number,
    last: number,
  ): Promise<readonly (readonly CallFigures[])[]>;
}

export const CALL_FIGURES_NATURES: Natures<CallFiguresPort> = {
  save: 'notes',
  forget: { is: 'notes', isLong: true },
  readEach: 'looks',
};
