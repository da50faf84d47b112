import type { Caller } from '../../domain/access/caller.ts';
import type { AttemptRecord } from '../../domain/attempts/attempt-record.ts';
import { DomainError } from '../../domain/errors.ts';
import { JOB_STATES, type JobState } from '../../domain/jobs/job-status.ts';
import type { PushFilter } from '../../domain/messages/push-filter.ts';
import { isPushId, PUSH_QUEUE, queueOfPush } from '../../domain/messages/push-id.ts';
import { isCancelled, pushEvents } from '../../domain/messages/push-log.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Shape } from '../../domain/values/shape.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { JobActions } from '../jobs/job-actions.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import { answersInTurns } from '../running/in-turns.ts';
import type { FoundPushes, PagesQuery, PushPage, PushPages } from './push-pages.ts';
import type { PushQueueList } from './push-queue-list.ts';
import { messageOf, type PushedMessage } from './pushed-message.ts';
import { shownPush, type ShownPush } from './shown-push.ts';

/** How many messages are read or changed at a time. */
const AT_ONCE = 50;

/** How many messages a request cancels in one go of those that match its filter. */
const MOST_IN_PAGE = 500;

const ENDED: readonly JobState[] = ['completed', 'failed'];
const PENDING = JOB_STATES.filter((state) => !ENDED.includes(state));
const SHOWN: readonly JobState[] = [...PENDING, 'completed'];

/** How long (ms) a message is shown after it was delivered. */
const SHOWN_FOR = 60_000;

/** Messages by their ids, or by what a client says of them. */
export type ChosenPushes =
  | { readonly ids: readonly string[] }
  | { readonly filter: PushFilter; readonly most: number; readonly cursor?: PagesQuery['cursor'] };

type Finds<Found> = (chosen: ChosenPushes, caller: Caller) => Promise<FoundPushes<Found>>;

type Change = (queue: QueueName, id: string) => Promise<void>;

export interface PushedMessagesDependencies {
  readonly queues: QueuePort;
  readonly pages: Pick<PushPages, 'page'>;
  readonly list: Pick<PushQueueList, 'names'>;
  readonly actions: Pick<JobActions, 'cancel' | 'retry' | 'remove'>;
  readonly destinations: Pick<Destinations, 'opened'>;
  readonly queueName: Shape<QueueName>;
  readonly clock: Pick<ClockPort, 'now' | 'turn'>;
}

/**
 * Messages after they were published, and the dead letter queue, which are those that failed (further contract, section
 * 24). Ids without a message are left out. Methods throw DomainError `store-unavailable`.
 */
export class PushedMessages {
  readonly #dependencies: PushedMessagesDependencies;

  constructor(dependencies: PushedMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Messages that are yet to be delivered, or that just were: programs read what they have published. */
  readonly pending: Finds<ShownPush> = async (chosen, caller) => {
    const since = this.#dependencies.clock.now() - SHOWN_FOR;
    const isOver = ({ job }: PushedMessage) => (job.finishedOn ?? Infinity) < since;
    const { found, cursor } = await this.#chosen(chosen, caller, SHOWN, isOver);
    return { found: found.map((each) => this.#shown(each)), cursor };
  };

  /** Messages that failed, with their last answers. */
  readonly letters: Finds<ShownPush> = async (chosen, caller) =>
    this.#withAttempts(await this.#letters(chosen, caller), (_, attempts) => ({
      last: attempts.at(-1),
    }));

  /** Messages with what happened to them: those of a state together, with the newest first. */
  readonly logs: Finds<ShownPush> = async (chosen, caller) =>
    this.#withAttempts(await this.#chosen(chosen, caller, JOB_STATES), ({ job }, attempts) => ({
      events: pushEvents(job, attempts),
    }));

  /** Cancels messages that are yet to be delivered; by a filter those alone that were published before. */
  readonly cancel: Finds<string> = async (given, caller) => {
    const chosen = 'ids' in given ? given : { ...given, filter: this.#upToNow(given.filter) };
    const cancel: Change = (queue, id) => this.#dependencies.actions.cancel(queue, id, {});
    const ids: string[] = [];
    for (;;) {
      const before = ids.length;
      let cursor: PushPage['cursor'];
      do {
        const some =
          'ids' in chosen
            ? chosen
            : { ...chosen, most: Math.min(MOST_IN_PAGE, chosen.most - ids.length), cursor };
        const page = await this.#chosen(some, caller, PENDING);
        ids.push(...(await this.#each(page.found, cancel)));
        cursor = page.cursor;
        if ('most' in chosen && ids.length >= chosen.most) return { found: ids, cursor: undefined };
      } while (cursor !== undefined);
      // Cancelled messages leave what is scanned, so that a pass that cancels any is followed by another one.
      if (ids.length === before || 'ids' in chosen) return { found: ids, cursor };
    }
  };

  #upToNow({ to = Infinity, ...filter }: PushFilter): PushFilter {
    return { ...filter, to: Math.min(to, this.#dependencies.clock.now()) };
  }

  /** Starts messages over that failed. */
  readonly retryLetters: Finds<string> = (chosen, caller) =>
    this.#changeLetters(chosen, caller, (queue, id) =>
      this.#dependencies.actions.retry(queue, id, {}),
    );

  readonly removeLetters: Finds<string> = (chosen, caller) =>
    this.#changeLetters(chosen, caller, (queue, id) =>
      this.#dependencies.actions.remove(queue, id),
    );

  async #changeLetters(chosen: ChosenPushes, caller: Caller, change: Change) {
    const { found, cursor, start } = await this.#letters(chosen, caller);
    const ids = await this.#each(found, change);
    // Changed messages leave what is scanned: what is left of the page begins where it began.
    return { found: ids, cursor: ids.length > 0 && cursor !== undefined ? start : cursor };
  }

  #letters(chosen: ChosenPushes, caller: Caller) {
    return this.#chosen(chosen, caller, ['failed'], ({ job }) => isCancelled(job));
  }

  async #chosen(
    chosen: ChosenPushes,
    caller: Caller,
    states: readonly JobState[],
    isLeftOut: (message: PushedMessage) => boolean = () => false,
  ): Promise<PushPage> {
    if ('ids' in chosen) {
      const all = await this.#all([...new Set(chosen.ids)], (id) => this.#find(id, states));
      const found = all.filter((each) => each !== undefined).filter((each) => !isLeftOut(each));
      return { found, cursor: undefined, start: undefined };
    }
    const queues = await this.#dependencies.list.names(caller);
    return this.#dependencies.pages.page({ ...chosen, queues, states, isLeftOut });
  }

  /** The ids of the messages that were changed; those that have moved on in the meantime are left out. */
  async #each(messages: readonly PushedMessage[], change: Change): Promise<readonly string[]> {
    const changed = await this.#all(messages, async ({ job: { queue, id } }) => {
      try {
        await change(queue, id);
        return [id];
      } catch (error) {
        if (error instanceof DomainError && error.code.startsWith('job-')) return [];
        throw error;
      }
    });
    return changed.flat();
  }

  async #find(id: string, states: readonly JobState[]): Promise<PushedMessage | undefined> {
    const { queues, queueName } = this.#dependencies;
    const queue = queueOfPush(id);
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

  #all<Item, Answer>(items: readonly Item[], answer: (item: Item) => Promise<Answer>) {
    return answersInTurns(this.#dependencies.clock, items, AT_ONCE, answer);
  }

  async #withAttempts(
    { found, cursor }: PushPage,
    more: (
      message: PushedMessage,
      attempts: readonly AttemptRecord[],
    ) => Pick<ShownPush, 'last' | 'events'>,
  ): Promise<FoundPushes<ShownPush>> {
    const shown = await this.#all(found, async (message) => {
      const { queue, id } = message.job;
      const read = await this.#dependencies.queues.attempts(queue, id);
      return { ...this.#shown(message), ...more(message, read?.attempts ?? []) };
    });
    return { found: shown, cursor };
  }
}
