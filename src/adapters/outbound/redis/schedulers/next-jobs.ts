import type { CalendarPort } from '../../../../application/ports/calendar-port.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { isStoreUnavailable } from '../../../../domain/errors.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { slotAfter } from '../../../../domain/schedulers/slots.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import { schedulerOf } from '../../../../domain/schedulers/scheduled-job.ts';
import { addedOptions, jobRecord, type JobRecord } from '../layout/job-record.ts';
import { SLOT_IS_TAKEN } from '../lua/answers.ts';
import { planNextJob, skipSlot } from '../scripts/adds.ts';
import { repetitionOf, slotOf, type Repetition } from './scheduler-record.ts';
import type { PlannedJob, SchedulerPlans } from './scheduler-plans.ts';

/**
 * Plans the next jobs of schedulers, including those of native producers. In BullMQ, the consumer that takes a
 * scheduled job plans the next one; a consumer that did not would end the schedule with its first job.
 */
export class NextJobs {
  readonly #plans: SchedulerPlans;
  readonly #store: StoreCommands;
  readonly #calendar: CalendarPort;
  readonly #logger: LoggerPort;

  constructor(
    plans: SchedulerPlans,
    store: StoreCommands,
    calendar: CalendarPort,
    logger: LoggerPort,
  ) {
    this.#plans = plans;
    this.#store = store;
    this.#calendar = calendar;
    this.#logger = logger;
  }

  /**
   * Plans the job after the given one. Changes made only to the given job do not carry over. A schedule without a next
   * slot ends, which is logged; the job itself runs.
   *
   * @throws DomainError `store-unavailable`: the next claim of the job plans again.
   */
  async plan(queue: QueueName, scheduler: string, jobId: string, record: JobRecord): Promise<void> {
    const opts = addedOptions(record);
    const terms = repetitionOf(opts);
    if (terms === undefined || terms.count >= (terms.repeat.limit ?? Infinity)) return;
    try {
      this.#checkPattern(terms);
      let planned = this.#after(terms, opts, slotOf(jobId), terms.count + 1);
      while (
        planned !== undefined &&
        (await this.#plans.plan(planNextJob, queue, scheduler, planned, { startingId: jobId })) ===
          SLOT_IS_TAKEN
      ) {
        planned = this.#after(terms, opts, planned.slot, planned.count);
      }
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      const message = 'The next job of a scheduler could not be planned';
      this.#logger.error(message, { queue, scheduler, error });
    }
  }

  /**
   * Removes a job that a claim has put aside, and plans the job of the next slot in its place. Only one of several
   * concurrent calls succeeds.
   *
   * @throws DomainError `store-unavailable`.
   */
  async skip(queue: QueueName, jobId: string): Promise<void> {
    const opts = await this.#optionsOf(queue, jobId);
    const terms = repetitionOf(opts);
    if (terms === undefined) return;
    const scheduler = schedulerOf(jobId);
    let planned = this.#after(terms, opts, slotOf(jobId), terms.count);
    while (
      (await this.#plans.plan(skipSlot, queue, scheduler, planned, { jobId })) === SLOT_IS_TAKEN &&
      planned !== undefined
    ) {
      planned = this.#after(terms, opts, planned.slot, terms.count);
    }
  }

  #after(
    { repeat, stored }: Repetition,
    opts: JobOptions,
    slot: number,
    count: number,
  ): PlannedJob | undefined {
    const next = slotAfter(repeat, slot, this.#plans.clock.now(), this.#calendar);
    return next === undefined ? undefined : { slot: next, count, repeat: stored, opts };
  }

  /** Native producers may use patterns other than cron, with a repeat strategy of their own. */
  #checkPattern({ repeat: { pattern } }: Repetition): void {
    const mistake = pattern === undefined ? undefined : this.#calendar.mistakeIn(pattern);
    if (mistake !== undefined) throw new Error(`${pattern} ${mistake}`);
  }

  async #optionsOf(queue: QueueName, jobId: string): Promise<JobOptions> {
    const key = this.#store.keysOf(queue).jobPrefix + jobId;
    const opts = await this.#store.run((client) => client.hget(key, 'opts'));
    return addedOptions(jobRecord(opts === null ? [] : ['opts', opts]));
  }
}
