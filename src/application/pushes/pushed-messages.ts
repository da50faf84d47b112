import type { Caller } from '../../domain/access/caller.ts';
import type { AttemptRecord } from '../../domain/attempts/attempt-record.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { JOB_STATES, type JobState } from '../../domain/jobs/job-status.ts';
import type { PushFilter } from '../../domain/messages/push-filter.ts';
import { isPushId, PUSH_QUEUE, queueOfPush } from '../../domain/messages/push-id.ts';
import { isCancelled, pushEvents, type PushEvent } from '../../domain/messages/push-log.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Shape } from '../../domain/values/shape.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { JobActions } from '../jobs/job-actions.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import { allEnded } from '../running/all-ended.ts';
import { inTurns } from '../running/in-turns.ts';
import type { PushPages } from './push-pages.ts';
import type { PushQueueList } from './push-queue-list.ts';
import { messageOf, type PushedMessage } from './pushed-message.ts';
import { shownPush, type ShownPush } from './shown-push.ts';

/** How many messages are changed at a time. */
const AT_ONCE = 50;

/** How many messages a request changes in one go of those that it cancels by a filter. */
const MOST_IN_PAGE = 500;

const ENDED: readonly JobState[] = ['completed', 'failed'];
const PENDING = JOB_STATES.filter((state) => !ENDED.includes(state));

/** Messages by their ids, or by what a client says of them. */
export type ChosenPushes =
  | { readonly ids: readonly string[] }
  | { readonly filter: PushFilter; readonly most: number; readonly cursor?: string | undefined };

/** What a page of messages was asked to do. */
export interface ChangedPushes {
  readonly ids: readonly string[];
  /** Undefined when nothing is left. */
  readonly cursor: string | undefined;
}

export interface ShownPushes {
  readonly messages: readonly ShownPush[];
  readonly cursor: string | undefined;
}

/** A message and what happened to it, newest first. */
export interface LoggedPush {
  readonly message: ShownPush;
  readonly events: readonly PushEvent[];
}

export interface PushLogs {
  readonly logs: readonly LoggedPush[];
  readonly cursor: string | undefined;
}

export interface PushedMessagesDependencies {
  readonly queues: QueuePort;
  readonly pages: Pick<PushPages, 'page'>;
  readonly list: Pick<PushQueueList, 'names'>;
  readonly actions: Pick<JobActions, 'cancel' | 'retry' | 'remove'>;
  readonly destinations: Pick<Destinations, 'opened'>;
  readonly queueName: Shape<QueueName>;
  readonly clock: Pick<ClockPort, 'turn'>;
}

/**
 * Messages after they were published, and the dead letter queue, which are those that failed (further contract, section
 * 24). Methods throw DomainError `store-unavailable`.
 */
export class PushedMessages {
  readonly #dependencies: PushedMessagesDependencies;

  constructor(dependencies: PushedMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /** A message that is yet to be delivered. @throws DomainError `job-not-found`. */
  async read(queue: QueueName, id: string): Promise<ShownPush> {
    const found = await this.#find(queue, id, PENDING);
    if (found === undefined) throw notFound('job');
    return this.#shown(found);
  }

  /** Cancels messages that are yet to be delivered. @returns the ids of those. */
  async cancel(chosen: ChosenPushes, caller: Caller): Promise<readonly string[]> {
    const cancel = (queue: QueueName, id: string) =>
      this.#dependencies.actions.cancel(queue, id, {});
    if ('ids' in chosen) return this.#each(await this.#existing(chosen.ids, PENDING), cancel);
    const queues = await this.#dependencies.list.names(caller);
    const done: string[] = [];
    for (;;) {
      // Cancelled messages leave what is scanned, so that a pass that cancels any is followed by another one.
      const before = done.length;
      let cursor: string | undefined;
      do {
        const query = {
          queues,
          states: PENDING,
          filter: chosen.filter,
          most: MOST_IN_PAGE,
          cursor,
        };
        const page = await this.#dependencies.pages.page(query);
        done.push(...(await this.#each(page.messages, cancel)));
        cursor = page.next;
      } while (cursor !== undefined);
      if (done.length === before) return done;
    }
  }

  /** @throws DomainError `job-not-found`. */
  async readLetter(queue: QueueName, id: string): Promise<ShownPush> {
    const found = await this.#find(queue, id, ['failed']);
    if (found === undefined) throw notFound('job');
    return this.#withLast(found);
  }

  async letters(chosen: ChosenPushes, caller: Caller): Promise<ShownPushes> {
    const { messages, cursor } = await this.#letters(chosen, caller);
    return { messages: await this.#all(messages, (each) => this.#withLast(each)), cursor };
  }

  /** Starts messages over that failed. */
  retryLetters(chosen: ChosenPushes, caller: Caller): Promise<ChangedPushes> {
    return this.#changeLetters(chosen, caller, (queue, id) =>
      this.#dependencies.actions.retry(queue, id, {}),
    );
  }

  removeLetters(chosen: ChosenPushes, caller: Caller): Promise<ChangedPushes> {
    return this.#changeLetters(chosen, caller, (queue, id) =>
      this.#dependencies.actions.remove(queue, id),
    );
  }

  /** What happened to messages, in the order in which they were published within each state, newest first. */
  async logs(chosen: ChosenPushes, caller: Caller): Promise<PushLogs> {
    const { messages, cursor } = await this.#chosen(chosen, caller, JOB_STATES);
    const logs = await this.#all(messages, async (each) => ({
      message: this.#shown(each),
      events: pushEvents(each.job, await this.#attemptsOf(each)),
    }));
    return { logs, cursor };
  }

  async #changeLetters(
    chosen: ChosenPushes,
    caller: Caller,
    change: (queue: QueueName, id: string) => Promise<void>,
  ): Promise<ChangedPushes> {
    const { messages, cursor, start } = await this.#letters(chosen, caller);
    const ids = await this.#each(messages, change);
    // Changed messages leave what is scanned: what is left of the page begins where it began.
    return { ids, cursor: ids.length > 0 && cursor !== undefined ? start : cursor };
  }

  #letters(chosen: ChosenPushes, caller: Caller) {
    return this.#chosen(chosen, caller, ['failed'], ({ job }) => isCancelled(job));
  }

  async #chosen(
    chosen: ChosenPushes,
    caller: Caller,
    states: readonly JobState[],
    isLeftOut: (message: PushedMessage) => boolean = () => false,
  ) {
    if ('ids' in chosen) {
      const messages = (await this.#existing(chosen.ids, states)).filter(
        (each) => !isLeftOut(each),
      );
      return { messages, cursor: undefined, start: undefined };
    }
    const queues = await this.#dependencies.list.names(caller);
    const page = await this.#dependencies.pages.page({ ...chosen, queues, states, isLeftOut });
    return { messages: page.messages, cursor: page.next, start: page.start };
  }

  /** The ids of the messages that were changed; those that have moved on in the meantime are left out. */
  async #each(
    messages: readonly PushedMessage[],
    change: (queue: QueueName, id: string) => Promise<void>,
  ): Promise<readonly string[]> {
    const changed = await this.#all(messages, async ({ job: { queue, id } }) => {
      try {
        await change(queue, id);
        return [id];
      } catch (error) {
        const hasMoved = error instanceof DomainError && /^job-/.test(error.code);
        if (!hasMoved) throw error;
        return [];
      }
    });
    return changed.flat();
  }

  async #existing(
    ids: readonly string[],
    states: readonly JobState[],
  ): Promise<readonly PushedMessage[]> {
    const found = await this.#all([...new Set(ids)], (id) =>
      this.#find(queueOfPush(id), id, states),
    );
    return found.filter((each) => each !== undefined);
  }

  async #find(
    queue: QueueName,
    id: string,
    states: readonly JobState[],
  ): Promise<PushedMessage | undefined> {
    const { queues, queueName } = this.#dependencies;
    // Under another id a store may keep what is no job.
    if (!isPushId(id) || !queueName.accepts(queue)) return undefined;
    const job = await queues.find(queue, id);
    return job !== undefined && states.includes(job.state) ? messageOf(job) : undefined;
  }

  #shown(message: PushedMessage): ShownPush {
    const { queue } = message.job;
    const shown = { ...message, queue: queue === PUSH_QUEUE ? undefined : queue };
    return shownPush(shown, this.#dependencies.destinations);
  }

  async #withLast(message: PushedMessage): Promise<ShownPush> {
    return { ...this.#shown(message), last: (await this.#attemptsOf(message)).at(-1) };
  }

  async #all<Item, Answer>(
    items: readonly Item[],
    answer: (item: Item) => Promise<Answer>,
  ): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for await (const some of inTurns(this.#dependencies.clock, items, AT_ONCE)) {
      answers.push(...(await allEnded(some.map(answer))));
    }
    return answers;
  }

  async #attemptsOf({ job: { queue, id } }: PushedMessage): Promise<readonly AttemptRecord[]> {
    return (await this.#dependencies.queues.attempts(queue, id))?.attempts ?? [];
  }
}
