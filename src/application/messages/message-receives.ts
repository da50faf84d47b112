import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { Receipt, Receive } from '../../domain/attempts/received.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { MessageQueues } from './message-queues.ts';
import { outcomesOf, type Outcome } from './outcome.ts';
import type { Receives } from './receives.ts';

/** A message with what its client may want to know of it. */
export interface ReceivedMessage {
  readonly attempt: Attempt;
  /** When (epoch ms) it was received first, as far as its attempts are recorded; undefined when nobody asked. */
  readonly firstReceivedAt: number | undefined;
}

export interface ReceivedMessages {
  /** Whether the messages of the queue are in order and sent once. */
  readonly isFifo: boolean;
  readonly messages: readonly ReceivedMessage[];
  /** Puts back those from a position on that do not reach their client. */
  readonly giveBack: (from: number) => void;
}

/** A visibility timeout to change: how long (ms) from now the message is in flight. */
export interface VisibilityChange {
  readonly receipt: Receipt;
  readonly visibility: number;
}

/** Receives messages, and does several things at once with those that were received. */
export class MessageReceives {
  readonly #receives: Receives;
  readonly #queues: Pick<MessageQueues, 'terms'>;
  readonly #jobs: Pick<QueuePort, 'attempts'>;

  constructor(
    receives: Receives,
    queues: Pick<MessageQueues, 'terms'>,
    jobs: Pick<QueuePort, 'attempts'>,
  ) {
    this.#receives = receives;
    this.#queues = queues;
    this.#jobs = jobs;
  }

  /**
   * @param wantsFirst whether the client wants to know when each message was received first.
   * @throws DomainError `queue-not-found`, `invalid-request` naming the field, or `store-unavailable`.
   */
  async receive(
    queue: QueueName,
    receive: Receive,
    wantsFirst: boolean,
    ending: () => AbortSignal,
  ): Promise<ReceivedMessages> {
    const { fifo: isFifo } = await this.#queues.terms(queue);
    const attempts = await this.#receives.receive(queue, receive, ending);
    const messages = await Promise.all(
      attempts.map(async (attempt) => ({
        attempt,
        firstReceivedAt: wantsFirst ? await this.#firstReceive(queue, attempt) : undefined,
      })),
    );
    const giveBack = (from: number): void => {
      void this.#receives.giveBack(queue, attempts.slice(from));
    };
    return { isFifo, messages, giveBack };
  }

  /** Deletes messages, each by itself. @returns what became of each. */
  async delete(queue: QueueName, receipts: readonly Receipt[]): Promise<readonly Outcome[]> {
    await this.#queues.terms(queue);
    return outcomesOf(receipts.map((receipt) => () => this.#receives.delete(queue, receipt)));
  }

  /** Changes visibility timeouts, each by itself. @returns what became of each. */
  async changeVisibility(
    queue: QueueName,
    changes: readonly VisibilityChange[],
  ): Promise<readonly Outcome[]> {
    await this.#queues.terms(queue);
    return outcomesOf(
      changes.map(
        ({ receipt, visibility }) =>
          () =>
            this.#receives.changeVisibility(queue, receipt, visibility),
      ),
    );
  }

  /** The messages are handed out already: what the store does not tell now is left out. */
  async #firstReceive(queue: QueueName, { job, jobId }: Attempt): Promise<number | undefined> {
    if (job.attemptsStarted <= 1) return job.processedOn;
    const recorded = await this.#jobs.attempts(queue, jobId).catch(() => undefined);
    return recorded?.attempts[0]?.startedAt ?? job.processedOn;
  }
}
