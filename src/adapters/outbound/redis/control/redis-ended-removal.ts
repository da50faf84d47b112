import type { SweepStep } from '../../../../application/ports/sweep-step.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import {
  JOBS_PER_REMOVAL,
  type EndedRemovalPort,
  type RetainedQueue,
} from '../../../../application/ports/ended-removal-port.ts';
import { leftFrom } from '../../../../application/ports/left-from.ts';
import type { EndedState } from '../../../../domain/jobs/job-status.ts';
import { beyondRetention } from '../../../../domain/policies/retention-policy.ts';
import type { ScriptArgument } from '../lua/script.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { removeEnded } from '../scripts/families.ts';

/** In the order in which the script takes their arguments. */
const STATES: readonly EndedState[] = ['completed', 'failed'];

/** Removes jobs that ended in short runs of a script. */
export class RedisEndedRemoval implements EndedRemovalPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  async removeBeyond(queues: readonly RetainedQueue[]): Promise<SweepStep<RetainedQueue>> {
    const now = this.#clock.now();
    const [removed, number] = await this.#store.callOfAll(
      removeEnded,
      { now, most: JOBS_PER_REMOVAL },
      queues.flatMap((each) => argumentsOf(each, now)),
    );
    return { count: removed, left: number === 0 ? [] : leftFrom(queues, number - 1) };
  }
}

function argumentsOf({ queue, retention }: RetainedQueue, now: number): readonly ScriptArgument[] {
  const beyond = STATES.flatMap((state) => {
    const { endedBy = '', downTo = '' } = beyondRetention(retention, state, now) ?? {};
    return [endedBy, downTo];
  });
  return [queue, ...beyond];
}
