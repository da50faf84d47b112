import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import { EndingSubscribers } from '../../../shared/ending-subscribers.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { FlowChild } from '../../../../domain/flows/flow.ts';
import { shownChild, type Child } from './children.ts';
import type { FamilyTies } from './family-ties.ts';
import { EventSubscribers } from './event-subscribers.ts';
import { MemoryQueue } from './memory-queue.ts';
import { QueueEvents, type EventSettings } from './queue-events.ts';
import { changesOf, QUEUE_RECORD_KINDS } from './record-changes.ts';
import { StoreRecords } from './store-records.ts';
import type { ListedJob } from './listed-job.ts';
import type { StoredJob } from './stored-job.ts';

/** All queues of one process, which all ports of the memory store share. */
export class MemoryStore implements FamilyTies {
  readonly #queues = new Map<QueueName, MemoryQueue>();
  readonly endingSubscribers = new EndingSubscribers();
  readonly eventSubscribers = new EventSubscribers();
  readonly #clock: ClockPort;
  readonly records: StoreRecords;
  readonly #prefix: string;
  readonly #stalledGrace: number;
  readonly #events: Omit<EventSettings, 'changed'>;
  #lastEvent = { time: 0, count: 0 };

  /**
   * @param stalledGrace how long a job must have had no lock to count as stalled, the least time between two stalled
   * checks that count, and the time that the one that found an overdue attempt has to end it, in milliseconds.
   * @param eventsKept how many events of a queue are kept at least; a few more may be.
   * @param prefix of the qualified names of queues.
   * @param records receive those of the queues.
   */
  constructor(
    clock: ClockPort,
    stalledGrace: number,
    eventsKept: number,
    prefix: string,
    records = new StoreRecords(),
  ) {
    this.records = records;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#stalledGrace = stalledGrace;
    const { recorded } = this.eventSubscribers;
    this.#events = { kept: eventsKept, nextId: () => this.#nextEvent(), recorded };
    for (const kind of QUEUE_RECORD_KINDS) {
      if (kind === 'scheduler') continue;
      records.keep(kind, {
        read: (queue, id) => this.#queues.get(queue as QueueName)?.records.read(kind, id),
        restore: (queue, id, record) => {
          this.open(queue as QueueName).records.restore(kind, id, record);
        },
      });
    }
  }

  /** The process that made the calls of its active jobs has ended: the next stalled check puts these back. */
  loseCalls(): void {
    for (const queue of this.#queues.values()) queue.records.loseCalls();
  }

  /** To be called once all records are there. */
  restored(): void {
    for (const queue of this.#queues.values()) {
      queue.records.restored();
      this.#noteEvent(queue.events.last);
    }
  }

  /** The queue of that name, undefined until the first add or claim. */
  find(name: QueueName): MemoryQueue | undefined {
    return this.#queues.get(name);
  }

  /** All queues that an add or a claim has opened, in no order. */
  all(): IterableIterator<[QueueName, MemoryQueue]> {
    return this.#queues.entries();
  }

  /** The queue of that name for reading: a queue that was never opened is empty, and is not kept. */
  peek(name: QueueName): MemoryQueue {
    return this.#queues.get(name) ?? this.#newQueue(name);
  }

  /** Wakes the waiters for its jobs, so that they find the queue that the next add makes. */
  remove(name: QueueName): void {
    const queue = this.#queues.get(name);
    queue?.records.noteAll();
    this.#queues.delete(name);
    queue?.wakeAll();
    for (const job of queue?.inOrderOfRemoval ?? [])
      if (job.parent !== undefined) this.removed(name, job, false);
  }

  open(name: QueueName): MemoryQueue {
    const existing = this.#queues.get(name);
    if (existing !== undefined) return existing;
    const queue = this.#newQueue(name);
    this.#queues.set(name, queue);
    return queue;
  }

  now(): number {
    return this.#clock.now();
  }

  /** An id that no event has, greater than the ids of all events so far and less than those of all later ones. */
  drawEventId(): EventId {
    return this.#nextEvent().id;
  }

  /** The children of a job in the order of their ids; empty when it has none or does not exist. */
  childrenOf(name: QueueName, jobId: string): readonly Child[] {
    return this.find(name)?.findListed(jobId)?.children?.all ?? [];
  }

  /** The first children of a job, as many as fit in `mostBytes` of JSON. */
  fittingChildren(name: QueueName, jobId: string, mostBytes: number): readonly FlowChild[] {
    const shown: FlowChild[] = [];
    let bytes = 2;
    for (const each of this.childrenOf(name, jobId)) {
      if (bytes + (each.ending?.returnvalue.length ?? 0) > mostBytes) break;
      const child = this.shownChild(each);
      bytes += Buffer.byteLength(JSON.stringify(child)) + 1;
      if (bytes > mostBytes) break;
      shown.push(child);
    }
    return shown;
  }

  shownChild(child: Child): FlowChild {
    return shownChild(child, this.find(child.queue)?.findListed(child.id));
  }

  /** All jobs below a job that still exist, in any queue. */
  below(name: QueueName, jobId: string): readonly (readonly [QueueName, ListedJob])[] {
    return this.childrenOf(name, jobId).flatMap(({ queue, id }) => {
      const job = this.find(queue)?.findListed(id);
      return job === undefined ? [] : [[queue, job] as const, ...this.below(queue, id)];
    });
  }

  ended(queue: QueueName, job: StoredJob): void {
    const { parent } = job;
    if (parent !== undefined) this.find(parent.queue)?.parents.childEnded(parent.id, job, queue);
  }

  startedOver(queue: QueueName, { id, parent }: StoredJob): void {
    if (parent !== undefined) {
      this.find(parent.queue)?.parents.childStartedOver(parent.id, queue, id);
    }
  }

  removed(queue: QueueName, { id, parent }: ListedJob, isDrained: boolean): void {
    if (parent === undefined) return;
    this.find(parent.queue)?.parents.childRemoved(parent.id, { queue, id }, isDrained);
  }

  #newQueue(name: QueueName): MemoryQueue {
    const { changes, details } = this.records;
    const events = new QueueEvents(name, {
      ...this.#events,
      changed: (batch) => {
        changes.note('events', name, batch);
      },
    });
    return new MemoryQueue(
      this.#clock,
      name,
      this.#prefix,
      this.#stalledGrace,
      this.endingSubscribers,
      events,
      this,
      changesOf(name, changes),
      details,
    );
  }

  /** Later events get greater ids than this one has. */
  #noteEvent(id: EventId): void {
    const [time = 0, count = 0] = id.split('-').map(Number);
    const last = this.#lastEvent;
    if (time > last.time || (time === last.time && count > last.count)) {
      this.#lastEvent = { time, count };
    }
  }

  /** A later event has a greater id, even if the clock was set back. */
  #nextEvent(): { readonly id: EventId; readonly timestamp: number } {
    const { time, count } = this.#lastEvent;
    const now = this.#clock.now();
    this.#lastEvent = now > time ? { time: now, count: 0 } : { time, count: count + 1 };
    return { id: `${this.#lastEvent.time}-${this.#lastEvent.count}`, timestamp: now };
  }
}
