import { Packr } from 'msgpackr';
import type { CalendarPort } from '../../../../application/ports/calendar-port.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import { jsonText } from '../../../../domain/json.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { NewScheduler, StoredScheduler } from '../../../../domain/scheduler.ts';
import { resumedSlot, slotAfter } from '../../../../domain/slots.ts';
import { without } from '../../../../domain/without.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobRecord, storedOptions } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import {
  pauseSchedulerScript,
  resumeSchedulerScript,
  storePausedScript,
} from './paused-scripts.ts';
import { repeatOf } from './scheduler-record.ts';

const SLOT_IS_TAKEN = -1;

/** A scheduler whose next job is due or has started, so that it goes on from the slot after that. */
type Underway = readonly [slot: string, fields: readonly string[]];

/** Pauses schedulers as BullMQ keeps them, which knows of no such thing. */
export class PausedSchedulers {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #calendar: CalendarPort;
  readonly #clock: ClockPort;
  readonly #packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

  constructor(
    commands: StoreCommands,
    keys: QueueKeysCache,
    calendar: CalendarPort,
    clock: ClockPort,
  ) {
    this.#commands = commands;
    this.#keys = keys;
    this.#calendar = calendar;
    this.#clock = clock;
  }

  /** @returns false when there is no such scheduler. */
  async pause(queue: QueueName, id: string): Promise<boolean> {
    const { repeat, delayed, events, jobPrefix } = this.#keys.get(queue);
    const run = (slot: string, following: number | ''): Promise<unknown> =>
      this.#commands.scripts.run(
        pauseSchedulerScript,
        [repeat, delayed, events],
        [id, jobPrefix, slot, following],
      );
    let answer = await run('', '');
    while (Array.isArray(answer)) {
      const [slot, fields] = answer as unknown as Underway;
      const terms = repeatOf(jobRecord(fields));
      const following = slotAfter(terms, Number(slot), this.#clock.now(), this.#calendar);
      answer = await run(slot, following ?? '');
    }
    return answer === 1;
  }

  /** Stores it as paused. */
  async store(
    queue: QueueName,
    id: string,
    { repeat, job: { name, data, opts } }: NewScheduler,
    slot: number,
  ): Promise<StoredScheduler> {
    const keys = this.#keys.get(queue);
    const terms = without(repeat, 'immediately');
    const { every } = terms;
    const fields = { ...terms, ...(every !== undefined && { offset: slot % every }) };
    await this.#commands.scripts.run(
      storePausedScript,
      [keys.repeat, keys.delayed, keys.events],
      [
        ...[id, keys.jobPrefix, slot],
        ...['name', name, 'data', jsonText(data), 'opts', storedOptions(opts)],
        ...Object.entries(fields).flat(),
      ],
    );
    const planned = { slot, count: 1 };
    return { id, repeat: terms, job: { name, data, opts }, paused: true, planned };
  }

  /** Lets it go on with the next slot to come. @returns false when it is not as it was any more. */
  resume(queue: QueueName, stored: StoredScheduler): Promise<boolean> {
    const { repeat, planned } = stored;
    const slot = planned && resumedSlot(repeat, planned.slot, this.#clock.now(), this.#calendar);
    return this.start(queue, stored, slot);
  }

  /** Lets it go on with that slot, or with the next one that has no job. @returns as `resume`. */
  async start(
    queue: QueueName,
    stored: StoredScheduler,
    first: number | undefined,
  ): Promise<boolean> {
    let slot = first;
    let answer = await this.#run(queue, stored, slot);
    while (slot !== undefined && answer === SLOT_IS_TAKEN) {
      slot = slotAfter(stored.repeat, slot, this.#clock.now(), this.#calendar);
      answer = await this.#run(queue, stored, slot);
    }
    return answer === 1;
  }

  #run(
    queue: QueueName,
    { id, repeat, job, planned }: StoredScheduler,
    slot: number | undefined,
  ): Promise<unknown> {
    const keys = this.#keys.get(queue);
    const now = this.#clock.now();
    const delay = slot === undefined ? 0 : Math.max(0, slot - now);
    const options = {
      ...(JSON.parse(storedOptions(job.opts)) as object),
      repeat: { ...repeat, count: planned?.count },
      timestamp: now,
      prevMillis: slot,
      repeatJobKey: id,
    };
    return this.#commands.scripts.run(
      resumeSchedulerScript,
      [
        ...[keys.repeat, keys.delayed, keys.wait, keys.paused, keys.meta, keys.prioritized],
        ...[keys.marker, keys.events, keys.priorityCounter, keys.active],
      ],
      [
        id,
        planned === undefined ? '' : `${planned.slot}:${planned.count}`,
        slot ?? '',
        now,
        delay,
        // The packer reuses its buffer for what follows, and a command may be written later.
        Buffer.from(this.#packr.pack(options)),
      ],
    );
  }
}
