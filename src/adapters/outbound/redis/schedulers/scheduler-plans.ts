import { Packr } from 'msgpackr';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { planningKeys } from './planning-lua.ts';

/** The job that is to come next. */
export interface PlannedJob {
  /** Epoch ms. */
  readonly slot: number;
  /** Which of its scheduler's jobs it is, from 1. */
  readonly count: number;
  /** As it goes into the job, for native workers. */
  readonly repeat: object;
  readonly opts: Partial<JobOptions>;
}

/** Runs the scripts that begin with `PLANNING`. */
export class SchedulerPlans {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  /** By which slots have gone by. */
  readonly clock: Pick<ClockPort, 'now'>;
  readonly #packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });

  constructor(commands: StoreCommands, keys: QueueKeysCache, clock: Pick<ClockPort, 'now'>) {
    this.#commands = commands;
    this.#keys = keys;
    this.clock = clock;
  }

  /** @param rest what the script takes beyond the arguments of `PLANNING`. */
  run(
    script: Script,
    queue: QueueName,
    id: string,
    planned: PlannedJob | undefined,
    ...rest: readonly ScriptArgument[]
  ): Promise<unknown> {
    const keys = this.#keys.get(queue);
    const now = this.clock.now();
    const delay = planned === undefined ? 0 : Math.max(0, planned.slot - now);
    return this.#commands.scripts.run(script, planningKeys(keys), [
      id,
      keys.jobPrefix,
      planned?.slot ?? '',
      now,
      delay,
      planned === undefined ? '' : this.#options(planned, id, now),
      ...rest,
    ]);
  }

  #options({ slot, count, repeat, opts }: PlannedJob, id: string, now: number): Buffer {
    const options = {
      ...(JSON.parse(storedOptions(opts)) as object),
      repeat: { ...repeat, count },
      timestamp: now,
      prevMillis: slot,
      repeatJobKey: id,
    };
    // The packer reuses its buffer, and the command may be written later.
    return Buffer.from(this.#packr.pack(options));
  }
}
