import { storeUnavailable } from '../../domain/errors.ts';
import type { GroupStanding } from '../../domain/groups/group.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { GroupsQuery } from '../../domain/groups/groups-query.ts';
import { ChosenGroups } from './chosen-groups.ts';

/** How many different lists one reading of all groups serves; others wait for the next. */
const MOST_LISTS = 20;

interface AskedList {
  readonly query: GroupsQuery;
  readonly gone: AbortSignal;
  readonly resolve: (chosen: ChosenGroups) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lists of the groups of queues. The groups of a queue are read once for all who wait for a list of them when the reading
 * begins; who asks later waits for the next, since groups may have changed. A reading ends early when nobody waits for it
 * any more.
 */
export class GroupLists {
  readonly #read: (queue: QueueName) => AsyncIterable<readonly GroupStanding[]>;
  /** The lists that wait for the next reading of a queue whose groups are being read. */
  readonly #asked = new Map<QueueName, AskedList[]>();

  /** @param read returns all groups of a queue in pieces, by id, each in a short step. */
  constructor(read: (queue: QueueName) => AsyncIterable<readonly GroupStanding[]>) {
    this.#read = read;
  }

  /**
   * @param gone aborts when the caller has left.
   * @throws DomainError `store-unavailable`, also when the caller has left.
   */
  list(queue: QueueName, query: GroupsQuery, gone: AbortSignal): Promise<ChosenGroups> {
    return new Promise((resolve, reject) => {
      const list = { query, gone, resolve, reject };
      const others = this.#asked.get(queue);
      if (others !== undefined) others.push(list);
      else {
        this.#asked.set(queue, [list]);
        void this.#serve(queue);
      }
    });
  }

  async #serve(queue: QueueName): Promise<void> {
    // Lists that are asked for in the same turn of the event loop share the first reading.
    await Promise.resolve();
    for (let lists = this.#next(queue); lists.size > 0; lists = this.#next(queue)) {
      await this.#readFor(queue, lists);
    }
    this.#asked.delete(queue);
  }

  /** Takes the lists of the next reading, those of the same query together. */
  #next(queue: QueueName): ReadonlyMap<string, AskedList[]> {
    const lists = new Map<string, AskedList[]>();
    const later: AskedList[] = [];
    for (const list of this.#asked.get(queue) ?? []) {
      const { start, length, sort, state, id } = list.query;
      const key = JSON.stringify([start, length, sort, state, id]);
      const same = lists.get(key);
      if (list.gone.aborted) list.reject(callerLeft());
      else if (same !== undefined) same.push(list);
      else if (lists.size < MOST_LISTS) lists.set(key, [list]);
      else later.push(list);
    }
    this.#asked.set(queue, later);
    return lists;
  }

  async #readFor(queue: QueueName, lists: ReadonlyMap<string, AskedList[]>): Promise<void> {
    const pages = [...lists.values()].map((askers) => {
      const [{ query }] = askers as [AskedList];
      return { chosen: new ChosenGroups(query), askers };
    });
    const areAllGone = (): boolean =>
      pages.every(({ askers }) => askers.every(({ gone }) => gone.aborted));
    try {
      for await (const groups of this.#read(queue)) {
        if (areAllGone()) throw callerLeft();
        for (const { chosen } of pages) chosen.add(groups);
      }
      for (const { chosen, askers } of pages) for (const { resolve } of askers) resolve(chosen);
    } catch (error) {
      for (const { askers } of pages) for (const { reject } of askers) reject(error);
    }
  }
}

function callerLeft(): Error {
  return storeUnavailable(new Error('The caller has left'));
}
