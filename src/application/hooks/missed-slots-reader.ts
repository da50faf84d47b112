import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import {
  keyOf,
  missedSlot,
  wasMissed,
  type LookTimes,
  type MissedSlot,
} from '../../domain/hooks/missed-slots.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { StoredScheduler } from '../../domain/schedulers/scheduler.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { JobPartPort } from '../ports/job-part-port.ts';
import type { SchedulerPort, SchedulerSlot } from '../ports/scheduler-port.ts';

/** How many slots of one hook are found in one look; the next look finds others. */
const MOST_FOUND = 100;

/** How many schedulers are read at a time. */
const READ_AT_ONCE = 50;

/** Of how many queues the slots are read at a time. */
const QUEUES_AT_ONCE = 500;

/** What a look found of the schedulers of a hook. */
export interface FoundSlots {
  /** The slots that are missed, those that were found before included. */
  readonly slots: readonly MissedSlot[];
  /** Whether there may be more. */
  readonly areMore: boolean;
}

/** The next slots of schedulers, by their queues; queues without schedulers are left out. */
export type NextSlots = ReadonlyMap<QueueName, readonly SchedulerSlot[]>;

/** Finds slots of schedulers whose jobs did not start in time. */
export class MissedSlotsReader {
  readonly #schedulers: Pick<SchedulerPort, 'slots' | 'find'>;
  readonly #jobParts: Pick<JobPartPort, 'summaries'>;
  readonly #clock: ClockPort;

  constructor(
    schedulers: Pick<SchedulerPort, 'slots' | 'find'>,
    jobParts: Pick<JobPartPort, 'summaries'>,
    clock: ClockPort,
  ) {
    this.#schedulers = schedulers;
    this.#jobParts = jobParts;
    this.#clock = clock;
  }

  /** Reads the next slot of each scheduler of the queues. @throws DomainError `store-unavailable`. */
  async next(queues: readonly QueueName[]): Promise<NextSlots> {
    const next = new Map<QueueName, SchedulerSlot[]>();
    for (const some of piecesOf(queues, QUEUES_AT_ONCE)) {
      await this.#clock.turn();
      for (const slot of await this.#schedulers.slots(some)) {
        keptOrMade(next, slot.queue, () => []).push(slot);
      }
    }
    return next;
  }

  /**
   * The slots that were missed. Only a scheduler whose next slot passed is read itself.
   *
   * @param missed how long (ms) after its slot a job must have started.
   * @param known what was found before.
   * @throws DomainError `store-unavailable`.
   */
  async missed(
    queues: readonly QueueName[],
    next: NextSlots,
    missed: number,
    known: readonly MissedSlot[],
    times: LookTimes,
  ): Promise<FoundSlots> {
    const reported = new Map(known.map((each) => [keyOf(each), each]));
    const slots: MissedSlot[] = [];
    const found: MissedSlot[] = [];
    const doubtful: SchedulerSlot[] = [];
    const take = (each: MissedSlot): void => {
      const same = reported.get(keyOf(each));
      if (same === undefined) found.push(each);
      else slots.push(same);
    };
    for (const each of queues.flatMap((queue) => next.get(queue) ?? [])) {
      const { queue, id: scheduler, slot, late, skipped } = each;
      if (slot === undefined) continue;
      if (late !== undefined && wasMissed(late, missed, times)) {
        take({ queue, scheduler, slot: late.slot });
      }
      if (skipped !== undefined && wasMissed({ slot: skipped.at }, missed, times)) {
        take({ queue, scheduler, slot: skipped.at });
      }
      if (reported.has(keyOf({ queue, scheduler, slot }))) take({ queue, scheduler, slot });
      else if (slot + missed <= times.now) doubtful.push(each);
    }
    for (const some of piecesOf(doubtful, READ_AT_ONCE)) {
      if (found.length >= MOST_FOUND) break;
      const read = await Promise.all(some.map((each) => this.#missedBy(each, missed, times.now)));
      found.push(...read.filter((each) => each !== undefined));
    }
    return {
      slots: [...slots, ...found.slice(0, MOST_FOUND)],
      areMore: found.length >= MOST_FOUND,
    };
  }

  async #missedBy(
    { queue, id }: SchedulerSlot,
    missed: number,
    now: number,
  ): Promise<MissedSlot | undefined> {
    const scheduler = await this.#schedulers.find(queue, id);
    if (scheduler === undefined) return undefined;
    const slot = missedSlot(scheduler, await this.#lastEndedAt(queue, scheduler), missed, now);
    return slot === undefined ? undefined : { queue, scheduler: id, slot };
  }

  /** Infinity while the last job of a scheduler has not ended, or once it is gone. */
  async #lastEndedAt(queue: QueueName, { last }: StoredScheduler): Promise<number> {
    if (last === undefined || last.state === null) return Infinity;
    for await (const [job] of this.#jobParts.summaries(queue, [last.jobId])) {
      if (job !== undefined) return job.finishedOn ?? Infinity;
    }
    return Infinity;
  }
}
