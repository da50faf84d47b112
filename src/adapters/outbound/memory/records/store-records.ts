import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { KeptValues } from './kept-values.ts';
import type { RecordChanges, RecordKind } from './record-changes.ts';
import { RecentPayloads } from '../state/recent-payloads.ts';
import { KeyedRecords, type Replaced } from './keyed-records.ts';
import type { RecordsOfQueue, RecordsOfQueues } from './records-of-queues.ts';

/** Keeps the records of one kind. */
export interface RecordKeeper {
  /** The record as it is now; undefined when it is gone. */
  read(queue: QueueName | '', id: string): object | undefined;

  /**
   * Takes a record as it was written, in place of the one that is here; undefined when it is gone.
   *
   * @param isOnDisk whether its values stay there: at the start, but not where another replica has written it.
   */
  take(queue: QueueName | '', id: string, record: unknown, isOnDisk: boolean): void;

  /** Called once all records of all kinds are there, and after all that were replaced together. */
  restored?(): void;
}

/** The records of one kind by their queues. */
type KeptByQueues = Pick<RecordsOfQueues<RecordsOfQueue>, 'find' | 'open'>;

/** For a store that ends with its process. */
const NO_CHANGES: RecordChanges = {
  note: () => undefined,
  announce: (run) => {
    run();
  },
};

/** All records of a store, by who keeps them. */
export class StoreRecords {
  readonly changes: RecordChanges;
  readonly values: KeptValues;
  readonly payloads: RecentPayloads;
  readonly #keepers = new Map<RecordKind, RecordKeeper>();
  readonly #withQueues = new Map<RecordKind, KeptByQueues>();

  /**
   * @param changes receives which records change; without it nobody needs to know.
   * @param values reads what is not in memory, where the records are kept.
   * @param payloads those of jobs that have not ended which stay in memory nevertheless.
   */
  constructor(
    changes: RecordChanges = NO_CHANGES,
    values = new KeptValues(),
    payloads = new RecentPayloads(Infinity, () => false),
  ) {
    this.changes = changes;
    this.values = values;
    this.payloads = payloads;
  }

  keep(kind: RecordKind, keeper: RecordKeeper): void {
    this.#keepers.set(kind, keeper);
  }

  /**
   * Keeps records that go with their queues. They are restored once all queues are there; one whose queue is gone is
   * noted, so that it goes too.
   */
  keepWithQueues(kind: RecordKind, kept: KeptByQueues): void {
    this.#withQueues.set(kind, kept);
    const waiting: [QueueName | '', string, unknown][] = [];
    this.keep(kind, {
      read: (queue, id) => kept.find(queue)?.find(id),
      take: (queue, id, record) => {
        if (record === undefined) kept.find(queue)?.replace(id, undefined);
        else waiting.push([queue, id, record]);
      },
      restored: () => {
        for (const [queue, id, record] of waiting.splice(0)) {
          const records = kept.open(queue);
          if (records === undefined) this.changes.note(kind, queue, id);
          else records.replace(id, record);
        }
      },
    });
  }

  /** Notes the records that go with a queue, as it goes. */
  noteAllWith(queue: QueueName): void {
    for (const [kind, kept] of this.#withQueues) {
      for (const id of kept.find(queue)?.ids() ?? []) this.changes.note(kind, queue, id);
    }
  }

  /**
   * Values of one kind by their ids, each a record of the whole service.
   *
   * @param replaced as in the constructor of KeyedRecords.
   */
  map<Value extends object>(kind: RecordKind, replaced?: Replaced<Value>): KeyedRecords<Value> {
    const note = (id: string): void => {
      this.changes.note(kind, '', id);
    };
    const map = new KeyedRecords<Value>(note, replaced);
    this.keep(kind, {
      read: (_, id) => map.find(id),
      take: (_, id, record) => map.replace(id, record as Value | undefined),
    });
    return map;
  }

  read(kind: RecordKind, queue: QueueName | '', id: string): object | undefined {
    return this.#keepers.get(kind)?.read(queue, id);
  }

  /** @throws Error for a kind that nobody keeps, whose records would be lost. */
  restore(kind: string, queue: QueueName | '', id: string, record: unknown): void {
    const keeper = this.#keepers.get(kind as RecordKind);
    if (keeper === undefined) throw new Error(`records of the kind "${kind}" are unknown`);
    keeper.take(queue, id, record, true);
  }

  /**
   * Takes a record as another replica wrote it; undefined when it is gone. Those of a queue come in the order of
   * RECORD_KINDS, and `restored` after all of them. What this changes must not be noted.
   */
  replace(kind: RecordKind, queue: QueueName | '', id: string, record: unknown): void {
    this.#keepers.get(kind)?.take(queue, id, record, false);
  }

  restored(): void {
    for (const keeper of this.#keepers.values()) keeper.restored?.();
  }
}
