import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ScriptArgument, ArgumentsOf } from '../lua/script.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { PlanningScript } from '../scripts/adds.ts';
import type { Kinds } from '../scripts/script.ts';

/** The job that is planned next. */
export interface PlannedJob {
  /** Epoch ms. */
  readonly slot: number;
  /** Its number among the jobs of its scheduler, from 1. */
  readonly count: number;
  /** As it is stored in the job, for native workers. */
  readonly repeat: object;
  readonly opts: Partial<JobOptions>;
}

/** Runs the scripts that plan jobs of schedulers. */
export class SchedulerPlans {
  readonly #store: StoreCommands;
  /** The clock that decides which slots have passed. */
  readonly clock: Pick<ClockPort, 'now'>;

  constructor(store: StoreCommands, clock: Pick<ClockPort, 'now'>) {
    this.#store = store;
    this.clock = clock;
  }

  /** Runs a script that may plan a job. @param rest behind the named arguments. */
  plan<Args extends Kinds>(
    script: PlanningScript<Args>,
    queue: QueueName,
    id: string,
    planned: PlannedJob | undefined,
    args: ArgumentsOf<Args>,
    rest: readonly ScriptArgument[] = [],
  ): Promise<unknown> {
    const timestamp = this.clock.now();
    const plan = {
      slot: planned?.slot ?? '',
      delay: planned === undefined ? 0 : Math.max(0, planned.slot - timestamp),
      options: planned === undefined ? '' : JSON.stringify(optionsOf(planned, id, timestamp)),
    };
    const given = { id, timestamp, ...plan, ...args };
    return this.#store.callOf(queue, script, given, rest);
  }
}

/** The options of a job, as native workers find them in jobs of schedulers. */
function optionsOf({ slot, count, repeat, opts }: PlannedJob, id: string, now: number): object {
  return {
    ...(JSON.parse(storedOptions(opts)) as object),
    repeat: { ...repeat, count },
    timestamp: now,
    prevMillis: slot,
    repeatJobKey: id,
  };
}
