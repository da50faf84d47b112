import type { AttemptKey, ClaimRequest } from '../../../../application/ports/attempt-port.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { Retention } from '../../../../domain/retention.ts';
import type { Script, ScriptArgument, Scripts } from '../connection/scripts.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { mayBeScheduled } from '../schedulers/schedule-lua.ts';
import type { ClaimAnswer, Claiming } from './claiming.ts';
import { completeAndClaimScript, LEFT_ALONE } from './complete-and-claim-script.ts';

/** What one caller wants: an attempt completed, a job claimed, or both in this order. */
export interface Step {
  readonly completed?: AttemptKey & {
    readonly returnvalue: string;
    /** What goes on record of it, as `endedCall` writes it; empty for nothing. */
    readonly call: string;
    /** Whether whoever holds its token said so: then that is remembered. */
    readonly isReported?: boolean;
  };
  /** Which completed jobs stay. */
  readonly keep?: Retention | undefined;
  readonly claim?: ClaimRequest | undefined;
}

/** What the script answers to one step: left alone, done without a job, or done with one or one whose slot is skipped. */
type StepAnswer = typeof LEFT_ALONE | 1 | readonly [record: readonly string[] | 0, id: string];

/** Most steps of one run. */
const MOST_STEPS = 16;

/** Most steps of one run for clients that take jobs themselves: all that one of them may ask for. */
const MOST_STEPS_OF_CLIENTS = 100;

/** Most characters of the return values of a run: the store does nothing else while it works on it. */
const MOST_CHARACTERS = 262_144;

/** Completes plain attempts and claims in their place, those of a turn together (docs/adr/0016). */
export class PlainAttempts {
  readonly #scripts: Scripts;
  readonly #script: Script;
  readonly #claiming: Claiming;
  readonly #clock: ClockPort;
  readonly #runs = new SharedRuns<QueueKeys, Step, ClaimAnswer | undefined>(
    (keys, steps) => this.#run(keys, steps),
    { most: MOST_STEPS, fits, isUrgent: isClaimAlone },
  );
  readonly #runsOfClients = new SharedRuns<QueueKeys, Step, ClaimAnswer | undefined>(
    (keys, steps) => this.#run(keys, steps),
    { most: MOST_STEPS_OF_CLIENTS, fits },
  );

  /** @param finish the patched script of the library that ends attempts. */
  constructor(scripts: Scripts, finish: Script, claiming: Claiming, clock: ClockPort) {
    this.#scripts = scripts;
    this.#script = completeAndClaimScript(finish);
    this.#claiming = claiming;
    this.#clock = clock;
  }

  /**
   * Answers as the library's scripts do to a claim, to a step without one that there is no job; undefined when
   * nothing was done, and the library's scripts have to do it.
   */
  take(keys: QueueKeys, step: Step): Promise<ClaimAnswer | undefined> {
    // The library's scripts note the ends of jobs of schedulers.
    if (step.completed !== undefined && mayBeScheduled(step.completed.jobId)) {
      return Promise.resolve(undefined);
    }
    const isOfClient = step.claim?.isPulled === true || step.completed?.isReported === true;
    return (isOfClient ? this.#runsOfClients : this.#runs).add(keys, step);
  }

  async #run(
    keys: QueueKeys,
    steps: readonly Step[],
  ): Promise<readonly (ClaimAnswer | undefined)[]> {
    const { keep, claim, completed } = steps[0] ?? {};
    const answer = await this.#scripts.run(
      this.#script,
      [
        keys.wait,
        keys.active,
        keys.prioritized,
        keys.events,
        keys.stalled,
        keys.delayed,
        keys.meta,
        keys.priorityCounter,
        keys.marker,
        keys.completed,
      ],
      [
        keys.jobPrefix,
        this.#clock.now(),
        this.#claiming.deadline,
        claim?.concurrency ?? '',
        claim?.lockDuration ?? '',
        keep?.count ?? '',
        keep?.age ?? '',
        this.#claiming.replica,
        claim?.isPulled === true ? keys.pulled : '',
        completed?.isReported === true ? '1' : '',
        ...stepArguments(steps),
      ],
    );
    const [nextAt, answers] = answer as [number, readonly StepAnswer[]];
    return answers.map((each) => {
      if (each === LEFT_ALONE) return undefined;
      return each === 1 ? [0, 0, 0, nextAt] : [...each, 0, 0];
    });
  }
}

/**
 * A job that comes while none wait is claimed at once: waiting for others would only delay its call. Under load claims
 * come with completions.
 */
function isClaimAlone({ completed }: Step): boolean {
  return completed === undefined;
}

/** Steps of a run have the same settings. */
function fits(group: readonly Step[], step: Step): boolean {
  const [first] = group;
  let characters = step.completed?.returnvalue.length ?? 0;
  for (const { completed } of group) characters += completed?.returnvalue.length ?? 0;
  return (
    characters <= MOST_CHARACTERS &&
    first?.keep?.count === step.keep?.count &&
    first?.keep?.age === step.keep?.age &&
    first?.claim?.isPulled === step.claim?.isPulled &&
    first?.completed?.isReported === step.completed?.isReported &&
    first?.claim?.concurrency === step.claim?.concurrency &&
    first?.claim?.lockDuration === step.claim?.lockDuration
  );
}

function stepArguments(steps: readonly Step[]): ScriptArgument[] {
  const args: ScriptArgument[] = [];
  for (const { completed, claim } of steps) {
    const { jobId = '', token = '', returnvalue = '', call = '' } = completed ?? {};
    args.push(jobId, token, returnvalue, claim?.token ?? '', call);
  }
  return args;
}
