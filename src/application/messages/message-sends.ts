import { isStoreUnavailable, type DomainError } from '../../domain/errors.ts';
import type { AddedJob, JobInput } from '../../domain/jobs/job.ts';
import { MESSAGE_NAME, type MessageMark } from '../../domain/jobs/message-job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Json } from '../../domain/values/json.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { MessageIdPort } from '../ports/message-id-port.ts';
import type { TraceContext } from '../ports/tracing-port.ts';
import { isRefusal } from './outcome.ts';

/** How long (ms) a message stands for its deduplication id, even if it is deleted before. */
const DEDUPLICATED_FOR = 300_000;

/** A message to send. */
export interface OutgoingMessage {
  readonly body: string;
  readonly attributes?: Json | undefined;
  readonly systemAttributes?: Json | undefined;
  /** Milliseconds before it may be received. */
  readonly delay: number;
  readonly group?: string | undefined;
  readonly deduplicationId?: string | undefined;
}

/** What became of a message: the id of it, or of the first one with its deduplication id. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly id: string }
  | { readonly kind: 'refused'; readonly error: DomainError };

/** Sends messages, which are jobs with the name and the data of a message (reach contract, section 21). */
export class MessageSends {
  readonly #jobs: Pick<Jobs, 'add'>;
  readonly #ids: MessageIdPort;

  constructor(jobs: Pick<Jobs, 'add'>, ids: MessageIdPort) {
    this.#jobs = jobs;
    this.#ids = ids;
  }

  /**
   * Sends messages in their order. One that the queue refuses keeps no other from being sent. When the store fails after
   * some are sent, it refuses the others.
   *
   * @param sender the name of whoever sends them.
   * @returns what became of each.
   * @throws DomainError for all of them, such as `store-unavailable`.
   */
  async send(
    queue: QueueName,
    sender: string,
    messages: readonly OutgoingMessage[],
    context?: TraceContext,
  ): Promise<readonly SendOutcome[]> {
    const inputs = messages.map((message) => this.#jobOf(message));
    const marks = messages.map(({ deduplicationId }): MessageMark => ({
      message: { sender, ...(deduplicationId !== undefined && { deduplicationId }) },
    }));
    try {
      const added = await this.#jobs.add(queue, inputs, context, marks);
      return added.map(sent);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (inputs.length === 1) return [{ kind: 'refused', error }];
    }
    const outcomes: SendOutcome[] = [];
    try {
      for (const [index, input] of inputs.entries()) {
        outcomes.push(await this.#sendAlone(queue, input, marks.slice(index, index + 1), context));
      }
    } catch (error) {
      const isAnySent = outcomes.some(({ kind }) => kind === 'sent');
      if (!isAnySent || !isStoreUnavailable(error)) throw error;
      const left = inputs.length - outcomes.length;
      outcomes.push(...Array.from({ length: left }, () => ({ kind: 'refused', error }) as const));
    }
    return outcomes;
  }

  async #sendAlone(
    queue: QueueName,
    input: JobInput,
    marks: readonly MessageMark[],
    context: TraceContext | undefined,
  ): Promise<SendOutcome> {
    try {
      const [added] = await this.#jobs.add(queue, [input], context, marks);
      if (added === undefined) throw new Error('An add of one job returned none');
      return sent(added);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { kind: 'refused', error };
    }
  }

  #jobOf(message: OutgoingMessage): JobInput {
    const { body, attributes, systemAttributes, delay, group, deduplicationId } = message;
    return {
      name: MESSAGE_NAME,
      data: {
        body,
        ...(attributes !== undefined && { attributes }),
        ...(systemAttributes !== undefined && { systemAttributes }),
      },
      opts: {
        jobId: this.#ids.draw(),
        ...(delay > 0 && { delay }),
        ...(group !== undefined && { group: { id: group } }),
        ...(deduplicationId !== undefined && {
          deduplication: { id: deduplicationId, ttl: DEDUPLICATED_FOR },
        }),
      },
    };
  }
}

function sent({ id }: AddedJob): SendOutcome {
  return { kind: 'sent', id };
}
