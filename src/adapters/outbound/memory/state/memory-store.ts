import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import type { EventPosition } from '../../../../domain/events/event-position.ts';
import { NO_HOOKS_OF_JOBS, type HooksOfJobs } from '../../../../domain/hooks/hooks-of-jobs.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Calendar } from '../../../../domain/schedulers/slots.ts';
import { loseCalls } from '../../../../domain/transitions/holding.ts';
import { childRemoved } from '../../../../domain/transitions/removal.ts';
import { EndingSubscribers } from '../../../shared/ending-subscribers.ts';
import { EventSubscribers } from './event-subscribers.ts';
import { QueueEvents } from './queue-events.ts';
import { endingOfEvent, shownEvent, type StoredEvent } from '../records/event-record.ts';
import type { WrittenQueue } from '../records/written-queue.ts';
import { changesOf, QUEUE_RECORD_KINDS, type QueueRecordKind } from '../records/record-changes.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { StoredChild } from './children.ts';
import { endingOf } from './stored-job.ts';
import { StoredLimits } from './stored-limits.ts';
import { StoredQueue, type Surroundings } from './stored-queue.ts';

export interface MemoryStoreSettings {
  /**
   * How long a job must have had no lock to count as stalled, the least time between two stalled checks that count, and
   * the time that the one that found an overdue attempt has to end it, in milliseconds.
   */
  readonly stalledGrace: number;
  /** How many events of a queue are kept at least; a few more may be. */
  readonly eventsKept: number;
  /** The prefix of the qualified names of queues. */
  readonly prefix: string;
  /** The name of this replica, as in its log lines. */
  readonly replica: string;
  /** The hooks in force that want to know how jobs of a queue end; none unless given. */
  readonly hooksOf?: (queue: QueueName) => HooksOfJobs;
  /** Whether schedulers skip slots that are due; they do not unless given. */
  readonly skipsSlots?: () => boolean;
}

const NO_QUEUES: readonly QueueName[] = [];

/** All queues of one process, which all ports of the memory store share. */
export class MemoryStore {
  readonly #queues = new Map<QueueName, StoredQueue>();
  readonly endingSubscribers = new EndingSubscribers();
  readonly eventSubscribers = new EventSubscribers();
  readonly #clock: ClockPort;
  readonly #settings: MemoryStoreSettings;
  readonly #surroundings: Surroundings;
  readonly limits: StoredLimits;
  readonly records: StoreRecords;
  /** The queues of which records were replaced. */
  readonly #touched = new Set<QueueName>();
  /** The queues with jobs that a step needed all of and did not have. */
  readonly #wanting = new Set<QueueName>();
  #lastEvent = { time: 0, count: 0, queue: '' };
  /** That of the step that runs (epoch ms). */
  #time: number | undefined;

  /**
   * @param records receive those of the queues.
   * @param shared receive those that need not outlast the process.
   */
  constructor(
    clock: ClockPort,
    calendar: Calendar,
    settings: MemoryStoreSettings,
    records = new StoreRecords(),
    shared = records,
  ) {
    this.#clock = clock;
    this.#settings = settings;
    this.records = records;
    this.limits = new StoredLimits({
      records,
      shared,
      find: (queue) => this.#queues.get(queue),
      now: () => this.now(),
    });
    this.#surroundings = {
      limits: this.limits,
      clock,
      calendar,
      prefix: settings.prefix,
      replica: settings.replica,
      wants: (queue) => {
        this.want(queue);
      },
      values: records.values,
      payloads: records.payloads,
      other: (queue) => this.#queues.get(queue),
      opened: (queue) => this.open(queue),
      skipsSlots: settings.skipsSlots ?? (() => false),
      hooksOf: settings.hooksOf ?? (() => NO_HOOKS_OF_JOBS),
      ended: (queue, job) => {
        const { endingSubscribers } = this;
        if (!endingSubscribers.has(queue)) return;
        records.changes.announce(endingSubscribers.notice(queue, job.id, endingOf(job)));
      },
    };
    for (const kind of QUEUE_RECORD_KINDS) {
      records.keep(kind, {
        read: (queue, id) => this.#queues.get(queue as QueueName)?.records.read(kind, id),
        take: (queue, id, record, isOnDisk) => {
          if (isOnDisk) this.open(queue as QueueName).records.take(kind, id, record, true);
          else this.#replace(kind, queue as QueueName, id, record);
        },
      });
    }
  }

  get stalledGrace(): number {
    return this.#settings.stalledGrace;
  }

  /** One step: it has one time, and no other code sees what it changes before it ends. @param run gets epoch ms. */
  run<Answer>(run: (now: number) => Answer): Answer {
    if (this.#time !== undefined) return run(this.#time);
    const now = this.#clock.now();
    this.#time = now;
    try {
      const answer = run(now);
      this.limits.offerFreed(now);
      return answer;
    } finally {
      this.#time = undefined;
    }
  }

  /** Runs a step on a queue, which is there from then on. */
  step<Answer>(name: QueueName, run: (queue: StoredQueue, now: number) => Answer): Answer {
    return this.run((now) => run(this.open(name), now));
  }

  /** The same on a queue that is there already. @returns undefined, and changes nothing, when it is not. */
  stepIfAny<Answer>(
    name: QueueName,
    run: (queue: StoredQueue, now: number) => Answer,
  ): Answer | undefined {
    const queue = this.#queues.get(name);
    return queue && this.run((now) => run(queue, now));
  }

  /** The process that made the calls of its active jobs has ended: the next stalled check puts these back. */
  loseCalls(): void {
    for (const queue of this.#queues.values()) loseCalls(queue);
  }

  /** The jobs by queue whose records are of earlier versions, without their names. */
  *unnamed(): Generator<readonly [queue: QueueName, ids: readonly string[]]> {
    for (const [name, { jobs }] of this.#queues) {
      const ids = jobs.unnamed();
      if (ids.length > 0) yield [name, ids];
    }
  }

  /** Notes that a step needed all of a job of the queue and did not have it. */
  want(queue: QueueName): void {
    this.#wanting.add(queue);
  }

  /** Whether a step needed all of a job and did not have it, since `takeWanting` was last called. */
  get isWanting(): boolean {
    return this.#wanting.size > 0;
  }

  /** The queues with jobs that a step needed all of and did not have, since this was last called. */
  takeWanting(): readonly QueueName[] {
    if (this.#wanting.size === 0) return NO_QUEUES;
    const wanting = [...this.#wanting];
    this.#wanting.clear();
    return wanting;
  }

  /** To be called once all records are there. */
  restored(): void {
    for (const queue of this.#queues.values()) {
      queue.records.restored();
      this.#noteEvent(queue);
    }
  }

  /**
   * To be called once records that other replicas changed are replaced.
   *
   * @returns a function that announces their events and endings, and lets claims be tried again.
   */
  replaced(): () => void {
    const touched = [...this.#touched];
    this.#touched.clear();
    const announcements = touched.flatMap((name) => {
      const queue = this.#queues.get(name);
      if (queue === undefined) return [];
      queue.records.restored();
      this.#noteEvent(queue);
      const [events, mayStart] = [queue.events.takeOfOthers(), queue.records.takeMayStart()];
      return [
        () => {
          this.#announceOthers(queue, events);
          if (mayStart) queue.wake();
        },
      ];
    });
    return () => {
      for (const announce of announcements) announce();
    };
  }

  /** The queue of that name, undefined until the first add or claim. */
  find(name: QueueName): StoredQueue | undefined {
    return this.#queues.get(name);
  }

  /** All queues that an add or a claim has opened, in no order. */
  all(): IterableIterator<[QueueName, StoredQueue]> {
    return this.#queues.entries();
  }

  /** The queue of that name for reading: a queue that was never opened is empty, and is not kept. */
  peek(name: QueueName): StoredQueue {
    return this.#queues.get(name) ?? this.#newQueue(name);
  }

  open(name: QueueName): StoredQueue {
    const existing = this.#queues.get(name);
    if (existing !== undefined) return existing;
    const queue = this.#newQueue(name);
    this.#queues.set(name, queue);
    return queue;
  }

  /** Wakes the waiters for its jobs, so that they find the queue that the next add makes. */
  remove(name: QueueName): void {
    const queue = this.#queues.get(name);
    if (queue === undefined) return;
    queue.records.noteAll();
    this.limits.leave(name);
    this.records.noteAllWith(name);
    this.#queues.delete(name);
    queue.wake();
    this.run((now) => {
      for (const job of queue.jobs.inOrderOfRemoval) childRemoved(queue, job, now, false);
    });
  }

  /** The time of the step that runs, or else of the clock; epoch ms. */
  now(): number {
    return this.#time ?? this.#clock.now();
  }

  /** The position of the last event so far: all later ones come after it, whichever replica records them. */
  get lastEvent(): EventPosition {
    const { time, count, queue } = this.#lastEvent;
    return { id: `${time}-${count}`, queue };
  }

  /** The children of a job in the order of their ids; empty when it has none or does not exist. */
  childrenOf(name: QueueName, jobId: string): readonly StoredChild[] {
    return this.find(name)?.jobs.find(jobId)?.children?.all ?? [];
  }

  #replace(kind: QueueRecordKind, name: QueueName, id: string, record: unknown): void {
    if (record === undefined && !this.#queues.has(name)) return;
    if (kind === 'queue') {
      // Whatever is left of a queue that was removed meanwhile is no part of the one that others made since.
      const { identity } = (record ?? {}) as Partial<WrittenQueue>;
      if (this.#queues.get(name)?.identity !== identity) this.#forget(name);
      if (record === undefined) return;
    }
    this.open(name).records.take(kind, id, record, false);
    this.#touched.add(name);
  }

  #forget(name: QueueName): void {
    const queue = this.#queues.get(name);
    queue?.events.forget();
    queue?.wake();
    this.limits.calls.forget(name);
    this.#queues.delete(name);
  }

  #announceOthers(queue: StoredQueue, events: readonly StoredEvent[]): void {
    for (const event of events) {
      const { jobId = '' } = event;
      this.eventSubscribers.recorded(queue.name, () => shownEvent(queue.name, event));
      const ending = endingOfEvent(event);
      if (ending !== undefined) this.endingSubscribers.notice(queue.name, jobId, ending)();
    }
  }

  #newQueue(name: QueueName): StoredQueue {
    const { changes } = this.records;
    const events = new QueueEvents(name, {
      kept: this.#settings.eventsKept,
      last: () => this.lastEvent.id,
      nextId: () => this.#nextEvent(name),
      recorded: (queue, event) => {
        const { eventSubscribers } = this;
        if (!eventSubscribers.has(queue)) return;
        changes.announce(() => {
          eventSubscribers.recorded(queue, event);
        });
      },
      changed: (batch) => {
        changes.note('events', name, batch);
      },
      values: this.records.values,
      payloads: this.records.payloads,
    });
    return new StoredQueue(name, this.#surroundings, events, changesOf(name, changes));
  }

  /** Later events get greater ids than those of the queue have. */
  #noteEvent({ name, events }: StoredQueue): void {
    const [time = 0, count = 0] = events.last.split('-').map(Number);
    const last = this.#lastEvent;
    if (time > last.time || (time === last.time && count > last.count)) {
      this.#lastEvent = { time, count, queue: name };
    }
  }

  /** A later event has a greater id, even if the clock was set back. */
  #nextEvent(queue: QueueName): { readonly id: EventId; readonly timestamp: number } {
    const { time, count } = this.#lastEvent;
    const now = this.now();
    this.#lastEvent =
      now > time ? { time: now, count: 0, queue } : { time, count: count + 1, queue };
    return { id: `${this.#lastEvent.time}-${this.#lastEvent.count}`, timestamp: now };
  }
}
