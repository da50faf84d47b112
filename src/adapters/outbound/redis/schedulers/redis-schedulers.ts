import type { JobsOptions } from 'bullmq';
import type { CalendarPort } from '../../../../application/ports/calendar-port.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SchedulerPort } from '../../../../application/ports/scheduler-port.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { NewScheduler, StoredScheduler } from '../../../../domain/scheduler.ts';
import { firstSlot, slotAfter } from '../../../../domain/slots.ts';
import { without } from '../../../../domain/without.ts';
import { piecesOf, severalAtOnce } from '../connection/several-at-once.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { stateKeys } from '../jobs/job-state.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { LibrarySchedulers } from './library-schedulers.ts';
import { PausedSchedulers } from './paused-schedulers.ts';
import { schedulerFromRecord } from './scheduler-record.ts';
import {
  createQueueScript,
  readSchedulersScript,
  type SchedulerAnswer,
} from './scheduler-scripts.ts';

/** Schedulers that one run reads: it takes a millisecond or two. */
const SCHEDULERS_PER_RUN = 50;

/** How many of these runs are under way at a time. */
const RUNS_AT_ONCE = 2;

/** What the library says when the job of a slot is there and has started. */
const SLOT_IS_TAKEN = -10;

/** What the library answers when it removed a scheduler. */
const REMOVED = 0;

/** Schedulers as BullMQ keeps them, whose clients share them. */
export class RedisSchedulers implements SchedulerPort {
  readonly #library: LibrarySchedulers;
  readonly #paused: PausedSchedulers;
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #calendar: CalendarPort;
  readonly #clock: ClockPort;

  constructor(
    library: LibrarySchedulers,
    commands: StoreCommands,
    keys: QueueKeysCache,
    calendar: CalendarPort,
    clock: ClockPort,
  ) {
    this.#library = library;
    this.#paused = new PausedSchedulers(commands, keys, calendar, clock);
    this.#commands = commands;
    this.#keys = keys;
    this.#calendar = calendar;
    this.#clock = clock;
  }

  async save(queue: QueueName, id: string, scheduler: NewScheduler): Promise<void> {
    const { scripts, errors } = this.#commands;
    const { meta, registry } = this.#keys.get(queue);
    await scripts.run(createQueueScript, [meta, registry], []);
    const { repeat } = scheduler;
    let slot = firstSlot(repeat, this.#clock.now(), this.#calendar);
    if (slot === undefined) return;
    const isPaused = (await this.find(queue, id))?.paused === true;
    if (scheduler.paused || isPaused) {
      const stored = await this.#paused.store(queue, id, scheduler, slot);
      // By itself the library would go on from the slot before which the other one was paused.
      if (!scheduler.paused) await this.#paused.start(queue, stored, slot);
      return;
    }
    while (slot !== undefined) {
      const at = slot;
      if (await errors.run(() => this.#upsert(queue, id, scheduler, at))) return;
      // A replica whose clock is ahead has made that job.
      slot = slotAfter(repeat, slot, this.#clock.now(), this.#calendar);
    }
  }

  async find(queue: QueueName, id: string): Promise<StoredScheduler | undefined> {
    const [scheduler] = await this.#read(queue, [id]);
    return scheduler;
  }

  async list(queue: QueueName): Promise<readonly StoredScheduler[]> {
    const { client, errors } = this.#commands;
    const { repeat } = this.#keys.get(queue);
    const ids = await errors.run(() => client.zrange(repeat, 0, -1));
    const pieces = piecesOf(ids, SCHEDULERS_PER_RUN);
    return (await severalAtOnce(pieces, RUNS_AT_ONCE, (some) => this.#read(queue, some))).flat();
  }

  pause(queue: QueueName, id: string): Promise<boolean> {
    return this.#paused.pause(queue, id);
  }

  async resume(queue: QueueName, id: string): Promise<boolean> {
    for (;;) {
      const stored = await this.find(queue, id);
      if (stored?.paused !== true) return stored !== undefined;
      if (await this.#paused.resume(queue, stored)) return true;
      // Somebody has changed it meanwhile.
    }
  }

  async remove(queue: QueueName, id: string): Promise<boolean> {
    const answer: unknown = await this.#commands.errors.run(() =>
      this.#library.use(queue, (schedulers) => schedulers.removeJobScheduler(id)),
    );
    return answer === REMOVED;
  }

  /** @returns false when the job of the slot is there and has started. */
  async #upsert(
    queue: QueueName,
    id: string,
    { repeat, job: { name, data, opts } }: NewScheduler,
    slot: number,
  ): Promise<boolean> {
    // A pattern that begins at once has that for its first slot; without a pattern it always does.
    const terms = without(repeat, 'immediately');
    const options = JSON.parse(storedOptions(opts)) as JobsOptions;
    try {
      await this.#library.use(
        queue,
        (schedulers) =>
          schedulers.upsertJobScheduler(id, terms, name, data, options, { override: true }),
        () => slot,
      );
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === SLOT_IS_TAKEN) return false;
      throw error;
    }
  }

  async #read(queue: QueueName, ids: readonly string[]): Promise<readonly StoredScheduler[]> {
    const keys = this.#keys.get(queue);
    const answers = (await this.#commands.scripts.run(
      readSchedulersScript,
      [keys.repeat, ...stateKeys(keys)],
      [keys.jobPrefix, ...ids],
    )) as readonly SchedulerAnswer[];
    return answers.flatMap((answer) =>
      answer === null ? [] : [schedulerFromRecord(answer, queue)],
    );
  }
}
