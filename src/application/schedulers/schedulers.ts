import { DomainError, invalidRequest } from '../../domain/errors.ts';
import type { AddedJob } from '../../domain/jobs/job.ts';
import type { Page } from '../../domain/values/page.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  MAX_SCHEDULERS,
  newScheduler,
  type Repeat,
  type Scheduler,
  type SchedulerInput,
  type StoredScheduler,
} from '../../domain/schedulers/scheduler.ts';
import { firstSlot, hasTimes, nextSlots } from '../../domain/schedulers/slots.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { CalendarPort } from '../ports/calendar-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueDirectoryPort } from '../ports/queue-directory-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { SchedulerPort } from '../ports/scheduler-port.ts';
import type { WorkerStorePort } from '../ports/worker-store-port.ts';
import { queueNotFound } from '../queues/queue-not-found.ts';

/** How many of its next slots a scheduler is shown with. */
const SHOWN_SLOTS = 5;

/** Schedulers with next slots that are computed in one go, which takes a few milliseconds. */
const SHOWN_AT_ONCE = 5;

export interface SchedulersDependencies {
  readonly schedulers: SchedulerPort;
  readonly queues: QueuePort;
  readonly calendar: CalendarPort;
  readonly directory: QueueDirectoryPort;
  readonly workers: WorkerStorePort;
  readonly policies: PoliciesInForce;
  readonly clock: ClockPort;
}

/** What clients do with schedulers. */
export class Schedulers {
  readonly #schedulers: SchedulerPort;
  readonly #queues: QueuePort;
  readonly #calendar: CalendarPort;
  readonly #directory: QueueDirectoryPort;
  readonly #workers: WorkerStorePort;
  readonly #policies: PoliciesInForce;
  readonly #clock: ClockPort;

  constructor(dependencies: SchedulersDependencies) {
    this.#schedulers = dependencies.schedulers;
    this.#queues = dependencies.queues;
    this.#calendar = dependencies.calendar;
    this.#directory = dependencies.directory;
    this.#workers = dependencies.workers;
    this.#policies = dependencies.policies;
    this.#clock = dependencies.clock;
  }

  /**
   * Stores the scheduler in place of any other of its id. Defaults of policies are written into it.
   *
   * @throws DomainError `invalid-request` or `request-too-large` naming the field, or `too-many-schedulers`.
   */
  async save(queue: QueueName, id: string, input: SchedulerInput): Promise<Scheduler> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const scheduler = newScheduler(id, input, this.#policies.of(queue)?.defaults);
    this.#check(scheduler.repeat);
    await this.#schedulers.save(queue, id, scheduler, MAX_SCHEDULERS);
    return this.read(queue, id);
  }

  /** @throws DomainError `scheduler-not-found`. */
  async read(queue: QueueName, id: string): Promise<Scheduler> {
    return this.#shown(await this.#find(queue, id));
  }

  /**
   * A page of the schedulers, the next to make a job first, in pieces that take a few milliseconds each.
   *
   * @throws DomainError `queue-not-found` when the queue was never created, and has neither a job nor a worker.
   */
  async list(queue: QueueName, page: Page): Promise<AsyncIterable<readonly Scheduler[]>> {
    const stored = this.#schedulers.list(queue, page)[Symbol.asyncIterator]();
    const first = await stored.next();
    if (first.done === true && !(await this.#exists(queue))) throw queueNotFound();
    return this.#shownFrom(first, stored);
  }

  /** @throws DomainError `scheduler-not-found`. */
  async remove(queue: QueueName, id: string): Promise<void> {
    if (!(await this.#schedulers.remove(queue, id))) throw schedulerNotFound();
  }

  /**
   * Adds a job like those of the scheduler at once. It does not change the schedule.
   *
   * @throws DomainError `scheduler-not-found`, or `queue-full`.
   */
  async run(queue: QueueName, id: string): Promise<AddedJob> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const { name, data, opts } = (await this.#find(queue, id)).job;
    const job = { name, data, opts: { attempts: 0, ...opts, delay: 0 } };
    const added = await this.#queues.add(queue, [job], this.#policies.of(queue)?.maxWaiting);
    return added[0] as AddedJob;
  }

  /** @throws DomainError `scheduler-not-found`. */
  async pause(queue: QueueName, id: string): Promise<void> {
    if (!(await this.#schedulers.pause(queue, id))) throw schedulerNotFound();
  }

  /** @throws DomainError `scheduler-not-found`. */
  async resume(queue: QueueName, id: string): Promise<void> {
    if (!(await this.#schedulers.resume(queue, id))) throw schedulerNotFound();
  }

  async #find(queue: QueueName, id: string): Promise<StoredScheduler> {
    const stored = await this.#schedulers.find(queue, id);
    if (stored === undefined) throw schedulerNotFound();
    return stored;
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

  #shown({ id, repeat, job, overlap, paused, planned, last }: StoredScheduler): Scheduler {
    const next =
      planned === undefined || paused
        ? []
        : nextSlots(repeat, planned, this.#clock.now(), SHOWN_SLOTS, this.#calendar);
    return { id, repeat, job, overlap, paused, next, last: last ?? null };
  }
}

function schedulerNotFound(): DomainError {
  return new DomainError('scheduler-not-found', 'Scheduler not found');
}
