import type { Caller } from '../../domain/access/caller.ts';
import type { GroupDefaults } from '../../domain/groups/group-settings.ts';
import { checkOrdered } from '../../domain/groups/ordered-jobs.ts';
import { existing, invalidRequest, isStoreUnavailable, notFound } from '../../domain/errors.ts';
import type { AddedJob } from '../../domain/jobs/job.ts';
import type { Page } from '../../domain/values/page.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import { latestStop, stopBy, type StopOrder } from '../../domain/values/stop.ts';
import { namePatterns } from '../../domain/queues/name-pattern.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  MAX_SCHEDULERS,
  newScheduler,
  type NewScheduler,
  type Repeat,
  type Scheduler,
  type SchedulerInput,
  type SchedulerSort,
  type StoredScheduler,
} from '../../domain/schedulers/scheduler.ts';
import {
  firstSlot,
  hasTimes,
  nextSlots,
  replacingSlot,
  type Standing,
} from '../../domain/schedulers/slots.ts';
import type { CalledOptions } from '../destinations/called-options.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { CalendarPort } from '../ports/calendar-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { QueueDirectoryPort } from '../ports/queue-directory-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { SchedulerPort, SchedulerSlot } from '../ports/scheduler-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import type { SchedulerRates } from './scheduler-rates.ts';
import { onceChanged } from '../running/once-changed.ts';

/** How many of its next slots are returned with a scheduler. */
const SHOWN_SLOTS = 5;

/** How many schedulers have their next slots computed in one go, which takes a few milliseconds. */
const SHOWN_AT_ONCE = 5;

/** How many schedulers are read at once to compute their next slots. */
const FOUND_AT_ONCE = 50;

/** Which queues to list schedulers of, and in which order. */
export interface AllSchedulersQuery extends Page {
  /** Patterns of queue names; all queues without any. */
  readonly queues: readonly string[] | undefined;
  readonly sort: SchedulerSort;
}

/** A scheduler in a list of several queues. */
export interface ListedScheduler extends Scheduler {
  readonly queue: QueueName;
}

export interface AllSchedulersPage {
  /** The number of schedulers on all pages together. */
  readonly total: number;
  readonly schedulers: readonly ListedScheduler[];
}

export interface SchedulersDependencies extends Pick<
  CommonPorts,
  'queues' | 'calendar' | 'directory' | 'observer' | 'clock'
> {
  readonly schedulers: SchedulerPort;
  readonly workers: KeptWorkers;
  readonly policies: PoliciesInForce;
  readonly calledOptions: Pick<CalledOptions, 'prepared'>;
  readonly rates: SchedulerRates;
}

/** The operations of clients on schedulers. */
export class Schedulers {
  readonly #schedulers: SchedulerPort;
  readonly #queues: QueuePort;
  readonly #calendar: CalendarPort;
  readonly #directory: QueueDirectoryPort;
  readonly #workers: KeptWorkers;
  readonly #policies: PoliciesInForce;
  readonly #calledOptions: SchedulersDependencies['calledOptions'];
  readonly #rates: SchedulerRates;
  readonly #observer: AttemptObserver;
  readonly #clock: ClockPort;

  constructor(dependencies: SchedulersDependencies) {
    this.#schedulers = dependencies.schedulers;
    this.#queues = dependencies.queues;
    this.#calendar = dependencies.calendar;
    this.#directory = dependencies.directory;
    this.#workers = dependencies.workers;
    this.#policies = dependencies.policies;
    this.#calledOptions = dependencies.calledOptions;
    this.#rates = dependencies.rates;
    this.#observer = dependencies.observer;
    this.#clock = dependencies.clock;
  }

  /**
   * Stores the scheduler, replacing any other with its id. Defaults of policies are written into it, unless it has the
   * options that are stored.
   *
   * @param mark options that no client can set.
   * @throws DomainError `invalid-request` or `request-too-large` naming the field, also for more jobs than the caller may
   * add, or `too-many-schedulers`.
   */
  async save(
    queue: QueueName,
    id: string,
    input: SchedulerInput,
    caller: Caller,
    mark: object = {},
  ): Promise<Scheduler> {
    const before = await this.#schedulers.find(queue, id);
    const { job, ...checked } = await this.#checked(queue, id, input, caller, before);
    const scheduler = { ...checked, job: { ...job, opts: { ...job.opts, ...mark } } };
    await this.#rates.admit(caller, { queue, id, scheduler }, (admitted) =>
      this.#schedulers.save(queue, id, admitted, MAX_SCHEDULERS),
    );
    return onceChanged(this.read(queue, id));
  }

  /**
   * The scheduler as `save` would store it now, without storing it.
   *
   * @throws DomainError like `save`, except `too-many-schedulers`.
   */
  async preview(
    queue: QueueName,
    id: string,
    input: SchedulerInput,
    caller: Caller,
  ): Promise<Scheduler> {
    const before = await this.#schedulers.find(queue, id);
    const scheduler = await this.#checked(queue, id, input, caller, before);
    await this.#rates.admit(caller, { queue, id, scheduler }, () => Promise.resolve());
    const standing = before && standingOfStored(before);
    const slot = replacingSlot(scheduler.repeat, standing, this.#clock.now(), this.#calendar);
    return this.#shown({
      ...scheduler,
      id,
      ...(slot !== undefined && { planned: { slot, count: 1 } }),
      ...(before?.last && { last: before.last }),
      ...(before?.lastRunByHand && { lastRunByHand: before.lastRunByHand }),
      ...(before?.skipped && { skipped: before.skipped }),
    });
  }

  /** @throws DomainError `scheduler-not-found`. */
  async read(queue: QueueName, id: string): Promise<Scheduler> {
    return this.#shown(await this.#find(queue, id));
  }

  /**
   * A page of the schedulers, those with the earliest next job first, in pieces that take a few milliseconds each.
   *
   * @throws DomainError `queue-not-found` when the queue was never created, and has neither a job nor a worker.
   */
  async list(queue: QueueName, page: Page): Promise<AsyncIterable<readonly Scheduler[]>> {
    const stored = this.#schedulers.list(queue, page)[Symbol.asyncIterator]();
    const first = await stored.next();
    if (first.done === true && !(await this.#exists(queue))) throw notFound('queue');
    return this.#shownFrom(first, stored);
  }

  /**
   * A page of the schedulers of all queues: by default, those with the earliest next job come first, and paused ones
   * last.
   *
   * @throws DomainError `invalid-request` naming the parameter.
   */
  async listAll(
    { queues, sort, start, length }: AllSchedulersQuery,
    mayUse: (queue: string) => boolean = () => true,
  ): Promise<AllSchedulersPage> {
    const isWanted = namePatterns(queues);
    const names = await this.#directory.names();
    const wanted = names.filter((name) => mayUse(name) && isWanted(name));
    const planned = await this.#schedulers.slots(wanted);
    const slots = [...(await this.#comingSlots(planned))].sort(ORDERS[sort]);
    const page = slots.slice(start, start + length);
    const schedulers: ListedScheduler[] = [];
    for await (const [{ queue }, stored] of this.#foundAt(page, SHOWN_AT_ONCE)) {
      schedulers.push({ queue, ...this.#shown(stored) });
    }
    return { total: slots.length - (page.length - schedulers.length), schedulers };
  }

  /** @throws DomainError `scheduler-not-found`. */
  async remove(queue: QueueName, id: string): Promise<void> {
    if (!(await this.#schedulers.remove(queue, id))) throw notFound('scheduler');
  }

  /**
   * Adds a job like those of the scheduler right away. The schedule does not change. That the scheduler shows the run
   * is not promised: the job is there even when the store fails before it is noted, and an error would say otherwise.
   *
   * @throws DomainError `scheduler-not-found`, or `queue-full`.
   */
  async run(queue: QueueName, id: string): Promise<AddedJob> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const { name, data, opts } = (await this.#find(queue, id)).job;
    const job = { name, data, opts: { attempts: 0, ...opts, delay: 0 } };
    const maxWaitingOfGroup = (await this.#groups(queue))?.maxWaiting;
    const { maxWaiting } = this.#policies.of(queue) ?? {};
    const [first] = await this.#queues.add(queue, [job], maxWaiting, maxWaitingOfGroup);
    const added = first as AddedJob;
    this.#observer.observe({ kind: 'added', queue, jobs: 1 });
    await this.#noteRunByHand(queue, id, added.id);
    return added;
  }

  /** @throws DomainError `invalid-request` naming the field, `scheduler-not-found`. */
  async pause(queue: QueueName, id: string, order: StopOrder, caller: Caller): Promise<void> {
    const stop = stopBy(caller, order, this.#clock.now());
    if (!(await this.#schedulers.pause(queue, id, stop))) throw notFound('scheduler');
  }

  /** @throws DomainError `scheduler-not-found`. */
  async resume(queue: QueueName, id: string): Promise<void> {
    if (!(await this.#schedulers.resume(queue, id))) throw notFound('scheduler');
  }

  async #noteRunByHand(queue: QueueName, id: string, jobId: string): Promise<void> {
    try {
      await this.#schedulers.noteRunByHand(queue, id, { at: this.#clock.now(), jobId });
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
    }
  }

  async #checked(
    queue: QueueName,
    id: string,
    input: SchedulerInput,
    caller: Caller,
    before: StoredScheduler | undefined,
  ): Promise<NewScheduler> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const scheduler = newScheduler(id, input, this.#policies.of(queue)?.defaults, before);
    checkOrdered(scheduler.job.opts, await this.#groups(queue), 'job.opts');
    this.#check(scheduler.repeat);
    const opts = this.#calledOptions.prepared(queue, scheduler.job.opts, 'job.opts');
    const pause = latestStop(before?.pause, stopBy(caller, {}, this.#clock.now()));
    return { ...scheduler, ...(scheduler.paused && { pause }), job: { ...scheduler.job, opts } };
  }

  /** The default settings of groups. */
  async #groups(queue: QueueName): Promise<GroupDefaults | undefined> {
    const worker = await this.#workers.find(queue);
    return groupDefaults(queue, worker, this.#policies);
  }

  async #find(queue: QueueName, id: string): Promise<StoredScheduler> {
    return existing(await this.#schedulers.find(queue, id), 'scheduler');
  }

  #check(repeat: Repeat): void {
    const { pattern, tz } = repeat;
    const mistake = pattern === undefined ? undefined : this.#calendar.mistakeIn(pattern);
    if (mistake !== undefined) throw invalidRequest(`repeat.pattern ${mistake}`, 'repeat.pattern');
    if (tz !== undefined && !this.#calendar.isZone(tz)) {
      throw invalidRequest('repeat.tz must be the name of a time zone', 'repeat.tz');
    }
    const now = this.#clock.now();
    if (!hasTimes(repeat, now, this.#calendar)) {
      throw invalidRequest('repeat.pattern must have a time within ten years', 'repeat.pattern');
    }
    if (firstSlot(repeat, now, this.#calendar) === undefined) {
      throw invalidRequest('repeat must have a slot to come, before its endDate', 'repeat');
    }
  }

  async #exists(queue: QueueName): Promise<boolean> {
    const [glance] = await this.#directory.glances([queue]);
    return glance !== undefined || (await this.#workers.find(queue)) !== undefined;
  }

  /** Replaces a past slot, whose job is still waiting to start, by the one after it: lists show future slots. */
  async #comingSlots(planned: readonly SchedulerSlot[]): Promise<readonly SchedulerSlot[]> {
    const now = this.#clock.now();
    const slots = planned.filter(({ slot = Infinity }) => slot > now);
    const gone = planned.filter(({ slot = Infinity }) => slot <= now);
    for await (const [each, stored] of this.#foundAt(gone, FOUND_AT_ONCE)) {
      slots.push({ ...each, slot: this.#nextOf(stored, 1)[0] });
    }
    return slots;
  }

  /** The schedulers of the slots that are still there. */
  async *#foundAt(
    slots: readonly SchedulerSlot[],
    atOnce: number,
  ): AsyncGenerator<readonly [SchedulerSlot, StoredScheduler]> {
    for (const some of piecesOf(slots, atOnce)) {
      const found = some.map(
        async (each) => [each, await this.#schedulers.find(each.queue, each.id)] as const,
      );
      for (const [each, stored] of await Promise.all(found)) {
        if (stored !== undefined) yield [each, stored];
      }
    }
  }

  async *#shownFrom(
    first: IteratorResult<readonly StoredScheduler[]>,
    rest: AsyncIterator<readonly StoredScheduler[]>,
  ): AsyncGenerator<readonly Scheduler[]> {
    for (let stored = first; stored.done !== true; stored = await rest.next()) {
      for (const some of piecesOf(stored.value, SHOWN_AT_ONCE)) {
        yield some.map((each) => this.#shown(each));
      }
    }
  }

  #shown(stored: StoredScheduler): Scheduler {
    const { id, repeat, job, overlap, paused, pause, skipped } = stored;
    const { last = null, lastRunByHand = null } = stored;
    const next = this.#nextOf(stored, SHOWN_SLOTS);
    return {
      ...{ id, repeat, job, overlap, paused, next, last, lastRunByHand },
      ...(pause && { pause }),
      ...(skipped && { skipped }),
    };
  }

  #nextOf({ repeat, paused, planned }: StoredScheduler, most: number): readonly number[] {
    if (planned === undefined || paused) return [];
    return nextSlots(repeat, planned, this.#clock.now(), most, this.#calendar);
  }
}

/** Earliest first; equal slots are ordered by queue and id, independently of the locale. */
const ORDERS: Readonly<Record<SchedulerSort, (a: SchedulerSlot, b: SchedulerSlot) => number>> = {
  next: (a, b) => bySlot(a, b) || byName(a, b),
  queue: (a, b) => compared(a.queue, b.queue) || bySlot(a, b) || byName(a, b),
};

function bySlot(
  { slot: a = Infinity }: SchedulerSlot,
  { slot: b = Infinity }: SchedulerSlot,
): number {
  return a === b ? 0 : a - b;
}

function byName(a: SchedulerSlot, b: SchedulerSlot): number {
  return compared(a.queue, b.queue) || compared(a.id, b.id);
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function standingOfStored({ repeat, planned, paused, last }: StoredScheduler): Standing {
  return {
    repeat,
    slot: planned?.slot ?? last?.at ?? 0,
    hasStarted: planned === undefined,
    isPaused: paused,
    lastSlot: last?.at,
  };
}
