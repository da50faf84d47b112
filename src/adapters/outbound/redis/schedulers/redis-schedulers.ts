import type { CalendarPort } from '../../../../application/ports/calendar-port.ts';
import type { SchedulerPort } from '../../../../application/ports/scheduler-port.ts';
import { jsonText } from '../../../../domain/json.ts';
import { piecesOf } from '../../../../domain/pieces.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { NewScheduler, StoredScheduler } from '../../../../domain/scheduler.ts';
import { replacingSlot, resumedSlot, slotAfter } from '../../../../domain/slots.ts';
import { without } from '../../../../domain/without.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import { severalAtOnce } from '../connection/several-at-once.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { stateKeys } from '../jobs/job-state.ts';
import { jobRecord, storedOptions } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { SLOT_IS_TAKEN } from './planning-lua.ts';
import {
  pauseSchedulerScript,
  removeSchedulerScript,
  resumeSchedulerScript,
  storeSchedulerScript,
} from './saving-scripts.ts';
import { OVERLAP, PAUSED } from './scheduler-fields.ts';
import type { SchedulerPlans } from './scheduler-plans.ts';
import { repeatOf, schedulerFromRecord, standingOf } from './scheduler-record.ts';
import {
  createQueueScript,
  readSchedulersScript,
  type SchedulerAnswer,
} from './scheduler-scripts.ts';

/** Schedulers that one run reads: it takes a millisecond or two. */
const SCHEDULERS_PER_RUN = 50;

/** How many of these runs are under way at a time. */
const RUNS_AT_ONCE = 2;

/** A scheduler whose next job is due or has started, so that it goes on from the slot after that. */
type Underway = readonly [slot: string, fields: readonly string[]];

/** Schedulers as BullMQ keeps them, whose clients share them. */
export class RedisSchedulers implements SchedulerPort {
  readonly #plans: SchedulerPlans;
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #calendar: CalendarPort;

  constructor(
    plans: SchedulerPlans,
    commands: StoreCommands,
    keys: QueueKeysCache,
    calendar: CalendarPort,
  ) {
    this.#plans = plans;
    this.#commands = commands;
    this.#keys = keys;
    this.#calendar = calendar;
  }

  async save(queue: QueueName, id: string, scheduler: NewScheduler): Promise<void> {
    const { meta, registry } = this.#keys.get(queue);
    await this.#commands.scripts.run(createQueueScript, [meta, registry], []);
    const [answer] = await this.#answers(queue, [id]);
    const before = answer ? standingOf(answer) : undefined;
    const { repeat } = scheduler;
    let slot = replacingSlot(repeat, before, this.#now, this.#calendar);
    while ((await this.#store(queue, id, scheduler, slot)) === SLOT_IS_TAKEN) {
      // Its job has started meanwhile, or it had one before.
      slot = slot && slotAfter(repeat, slot, this.#now, this.#calendar);
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

  async pause(queue: QueueName, id: string): Promise<boolean> {
    const run = (slot: string, following: number | ''): Promise<unknown> =>
      this.#plans.run(pauseSchedulerScript, queue, id, undefined, slot, following);
    let answer = await run('', '');
    while (Array.isArray(answer)) {
      const [slot, fields] = answer as unknown as Underway;
      const terms = repeatOf(jobRecord(fields));
      const following = slotAfter(terms, Number(slot), this.#now, this.#calendar);
      answer = await run(slot, following ?? '');
    }
    return answer === 1;
  }

  async resume(queue: QueueName, id: string): Promise<boolean> {
    for (;;) {
      const stored = await this.find(queue, id);
      if (stored?.paused !== true) return stored !== undefined;
      if (await this.#resume(queue, stored)) return true;
      // Somebody has changed it meanwhile.
    }
  }

  async remove(queue: QueueName, id: string): Promise<boolean> {
    return (await this.#plans.run(removeSchedulerScript, queue, id, undefined)) === 1;
  }

  get #now(): number {
    return this.#plans.clock.now();
  }

  #store(
    queue: QueueName,
    id: string,
    { repeat, job: { name, data, opts }, overlap, paused }: NewScheduler,
    slot: number | undefined,
  ): Promise<unknown> {
    // A pattern that begins at once has that for its first slot; without a pattern it always does.
    const terms = without(repeat, 'immediately');
    const { every } = terms;
    const fields: Readonly<Record<string, ScriptArgument>> = {
      name,
      data: jsonText(data),
      opts: storedOptions(opts),
      ...terms,
      // By which native clients find the slots again after some went by.
      ...(every !== undefined && slot !== undefined && { offset: slot % every }),
      ...(overlap !== 'allow' && { [OVERLAP]: overlap }),
      ...(paused && { [PAUSED]: slot === undefined ? '' : `${slot}:1` }),
    };
    const planned = slot === undefined ? undefined : { slot, count: 1, repeat: terms, opts };
    const args = Object.entries(fields).flat();
    return this.#plans.run(storeSchedulerScript, queue, id, planned, ...args);
  }

  /** @returns false when it is not as it was any more. */
  async #resume(
    queue: QueueName,
    { id, repeat, job: { opts }, planned }: StoredScheduler,
  ): Promise<boolean> {
    const { slot: pausedSlot, count = 0 } = planned ?? {};
    const paused = pausedSlot === undefined ? '' : `${pausedSlot}:${count}`;
    let slot = pausedSlot && resumedSlot(repeat, pausedSlot, this.#now, this.#calendar);
    for (;;) {
      const next = slot === undefined ? undefined : { slot, count, repeat, opts };
      const answer = await this.#plans.run(resumeSchedulerScript, queue, id, next, paused);
      if (answer !== SLOT_IS_TAKEN) return answer === 1;
      slot = slot && slotAfter(repeat, slot, this.#now, this.#calendar);
    }
  }

  async #read(queue: QueueName, ids: readonly string[]): Promise<readonly StoredScheduler[]> {
    const answers = await this.#answers(queue, ids);
    return answers.flatMap((answer) =>
      answer === null ? [] : [schedulerFromRecord(answer, queue)],
    );
  }

  async #answers(queue: QueueName, ids: readonly string[]): Promise<readonly SchedulerAnswer[]> {
    const keys = this.#keys.get(queue);
    return (await this.#commands.scripts.run(
      readSchedulersScript,
      [keys.repeat, ...stateKeys(keys)],
      [keys.jobPrefix, ...ids],
    )) as readonly SchedulerAnswer[];
  }
}
