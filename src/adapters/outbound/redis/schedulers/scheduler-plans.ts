import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { Script } from '../lua/script.ts';

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

/** Runs the scripts of schedulers. */
export class SchedulerPlans {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  /** The clock that decides which slots have passed. */
  readonly clock: Pick<ClockPort, 'now'>;

  constructor(commands: StoreCommands, keys: QueueKeysCache, clock: Pick<ClockPort, 'now'>) {
    this.#commands = commands;
    this.#keys = keys;
    this.clock = clock;
  }

  /** Runs a script for one scheduler. @param rest its arguments after those of the scheduler. */
  run(
    script: Script,
    queue: QueueName,
    id: string,
    ...rest: readonly ScriptArgument[]
  ): Promise<unknown> {
    const { repeat, jobPrefix } = this.#keys.get(queue);
    return this.#commands.scripts.run(script, [repeat], [jobPrefix, id, ...rest]);
  }

  /** The same for a script that may plan a job. */
  plan(
    script: Script,
    queue: QueueName,
    id: string,
    planned: PlannedJob | undefined,
    ...rest: readonly ScriptArgument[]
  ): Promise<unknown> {
    const now = this.clock.now();
    if (planned === undefined) return this.run(script, queue, id, '', now, 0, '', ...rest);
    const delay = Math.max(0, planned.slot - now);
    const options = JSON.stringify(optionsOf(planned, id, now));
    return this.run(script, queue, id, planned.slot, now, delay, options, ...rest);
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
