import type { CalendarPort } from '../../../../application/ports/calendar-port.ts';
import type { SchedulerPort, SchedulerSlot } from '../../../../application/ports/scheduler-port.ts';
import { tooMany } from '../../../../domain/errors.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Stop } from '../../../../domain/values/stop.ts';
import type {
  NewScheduler,
  RunByHand,
  StoredScheduler,
} from '../../../../domain/schedulers/scheduler.ts';
import { replacingSlot, resumedSlot, slotAfter } from '../../../../domain/schedulers/slots.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobRecord } from '../layout/job-record.ts';
import { stopText } from '../layout/stop-text.ts';
import { SLOT_IS_TAKEN, TOO_MANY } from '../lua/answers.ts';
import {
  createQueue,
  noteRunByHand,
  pauseScheduler,
  removeScheduler,
  resumeScheduler,
  storeScheduler,
} from '../scripts/adds.ts';
import { readSchedulers, readSlots, type SchedulerAnswer, type Slots } from '../scripts/reading.ts';
import type { SchedulerPlans } from './scheduler-plans.ts';
import {
  recordFields,
  repeatOf,
  schedulerFromRecord,
  standingOf,
  storedRepeat,
} from './scheduler-record.ts';

/** The most schedulers that one run reads, in a millisecond or two. */
const SCHEDULERS_PER_RUN = 50;

/** For how many queues one run reads the slots; a queue usually has few schedulers. */
const QUEUES_PER_RUN = 50;

/** The state of a scheduler with a due or started next job: it resumes from the slot after that. */
type Underway = readonly [slot: string, fields: readonly string[]];

/** Schedulers as BullMQ keeps them, shared with its own clients. */
export class RedisSchedulers implements SchedulerPort {
  readonly #plans: SchedulerPlans;
  readonly #store: StoreCommands;
  readonly #calendar: CalendarPort;

  constructor(plans: SchedulerPlans, store: StoreCommands, calendar: CalendarPort) {
    this.#plans = plans;
    this.#store = store;
    this.#calendar = calendar;
  }

  async save(queue: QueueName, id: string, scheduler: NewScheduler, most: number): Promise<void> {
    await this.#store.callOf(queue, createQueue);
    const [answer] = await this.#answers(queue, [id]);
    const before = answer ? standingOf(answer) : undefined;
    const { repeat } = scheduler;
    let slot = replacingSlot(repeat, before, this.#now, this.#calendar);
    for (;;) {
      const answer = await this.#save(queue, id, scheduler, slot, most);
      if (answer === TOO_MANY) throw tooMany('schedulers', most);
      if (answer !== SLOT_IS_TAKEN) return;
      // Its job has started in the meantime, or it already had one.
      slot = slot && slotAfter(repeat, slot, this.#now, this.#calendar);
    }
  }

  async find(queue: QueueName, id: string): Promise<StoredScheduler | undefined> {
    const [scheduler] = schedulersFrom(await this.#answers(queue, [id]), queue);
    return scheduler;
  }

  async *list(
    queue: QueueName,
    { start, length }: Page,
  ): AsyncGenerator<readonly StoredScheduler[]> {
    if (length === 0) return;
    const { schedulers } = this.#store.keysOf(queue);
    let ids = await this.#store.run((client) =>
      client.zrange(schedulers, start, start + length - 1),
    );
    while (ids.length > 0) {
      const answers = await this.#answers(queue, ids.slice(0, SCHEDULERS_PER_RUN));
      const found = schedulersFrom(answers, queue);
      if (found.length > 0) yield found;
      ids = ids.slice(answers.length);
    }
  }

  async slots(queues: readonly QueueName[]): Promise<readonly SchedulerSlot[]> {
    return inPieces(queues, QUEUES_PER_RUN, async (names) =>
      slotsFrom(await this.#store.callOfAll(readSlots, {}, names), names),
    );
  }

  async pause(queue: QueueName, id: string, stop?: Stop): Promise<boolean> {
    const run = (expected: string, following: number | ''): Promise<unknown> => {
      const args = { id, expected, following, stop: stopText(stop) };
      return this.#store.callOf(queue, pauseScheduler, args);
    };
    let answer = await run('', '');
    while (Array.isArray(answer)) {
      const [slot, fields] = answer as unknown as Underway;
      const terms = repeatOf(jobRecord(fields));
      const slotAfterNext = slotAfter(terms, Number(slot), this.#now, this.#calendar);
      answer = await run(slot, slotAfterNext ?? '');
    }
    return answer === 1;
  }

  async resume(queue: QueueName, id: string): Promise<boolean> {
    for (;;) {
      const stored = await this.find(queue, id);
      if (stored?.paused !== true) return stored !== undefined;
      if (await this.#resume(queue, stored)) return true;
      // Another client has changed it in the meantime.
    }
  }

  async noteRunByHand(
    queue: QueueName,
    id: string,
    { at, jobId }: Omit<RunByHand, 'state'>,
  ): Promise<void> {
    const args = { id, run: `${at}:${jobId}` };
    await this.#store.callOf(queue, noteRunByHand, args);
  }

  remove(queue: QueueName, id: string): Promise<boolean> {
    return this.#store.callOf(queue, removeScheduler, { id });
  }

  get #now(): number {
    return this.#plans.clock.now();
  }

  #save(
    queue: QueueName,
    id: string,
    scheduler: NewScheduler,
    slot: number | undefined,
    most: number,
  ): Promise<unknown> {
    const repeat = storedRepeat(scheduler.repeat);
    const { opts } = scheduler.job;
    const planned = slot === undefined ? undefined : { slot, count: 1, repeat, opts };
    const fields = Object.entries(recordFields(scheduler, slot)).flat();
    return this.#plans.plan(storeScheduler, queue, id, planned, { most }, fields);
  }

  /** @returns false if the scheduler has changed since it was read. */
  async #resume(
    queue: QueueName,
    { id, repeat, job: { opts }, planned }: StoredScheduler,
  ): Promise<boolean> {
    const { slot: pausedSlot, count = 0 } = planned ?? {};
    const paused = pausedSlot === undefined ? '' : `${pausedSlot}:${count}`;
    let slot = pausedSlot && resumedSlot(repeat, pausedSlot, this.#now, this.#calendar);
    for (;;) {
      const next = slot === undefined ? undefined : { slot, count, repeat, opts };
      const answer = await this.#plans.plan(resumeScheduler, queue, id, next, { pause: paused });
      if (answer !== SLOT_IS_TAKEN) return answer === 1;
      slot = slot && slotAfter(repeat, slot, this.#now, this.#calendar);
    }
  }

  /** The answers for the first ids, at least one: as many as one run may read. */
  #answers(queue: QueueName, ids: readonly string[]): Promise<readonly SchedulerAnswer[]> {
    return this.#store.callOf(queue, readSchedulers, {}, ids);
  }
}

function schedulersFrom(
  answers: readonly SchedulerAnswer[],
  queue: QueueName,
): readonly StoredScheduler[] {
  return answers.flatMap((answer) => (answer === null ? [] : [schedulerFromRecord(answer, queue)]));
}

function lateStartOf(field: string): Pick<SchedulerSlot, 'late'> {
  const [slot, startedAt] = field.split(':').map(Number);
  return slot === undefined || startedAt === undefined ? {} : { late: { slot, startedAt } };
}

function slotsFrom(
  answer: readonly Slots[],
  queues: readonly QueueName[],
): readonly SchedulerSlot[] {
  return answer.flatMap(([position, slots]) => {
    const queue = queues[position];
    if (queue === undefined) return [];
    return Array.from({ length: slots.length / 4 }, (_, index) => {
      const [id, slot, paused, late = ''] = slots.slice(4 * index, 4 * index + 4);
      return {
        queue,
        id: String(id),
        slot: paused === 1 ? undefined : Math.floor(Number(slot)),
        ...lateStartOf(String(late)),
      };
    });
  });
}
