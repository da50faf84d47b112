import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ClaimRequest } from '../../../../domain/attempts/claim.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { Retention } from '../../../../domain/jobs/job-retention.ts';
import type { Script, ScriptArgument, Scripts } from '../connection/scripts.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { mayBeScheduled } from '../schedulers/schedule-lua.ts';
import type { ClaimAnswer, Claiming } from './claiming.ts';
import { completeAndClaimScript, LEFT_ALONE } from './complete-and-claim-script.ts';

/** The request of one caller: to complete an attempt, to claim a job, or both in this order. */
export interface Step {
  readonly completed?: AttemptKey & {
    readonly returnvalue: string;
    /** Its record, as `endedCall` writes it; empty for none. */
    readonly call: string;
    /** Whether the holder of its token reported it: then the report is remembered. */
    readonly isReported?: boolean;
  };
  /** Which completed jobs are kept. */
  readonly keep?: Retention | undefined;
  readonly claim?: ClaimRequest | undefined;
}

/** The answer to one step: left alone, done without a job, with a job, or with one whose slot is skipped. */
type StepAnswer = typeof LEFT_ALONE | 1 | readonly [record: readonly string[] | 0, id: string];

/** Most steps of one run. */
const MOST_STEPS = 16;

/** Most steps of one run for clients that pull jobs: all that one request may ask for. */
const MOST_STEPS_OF_CLIENTS = 100;

/** Most characters of the return values of a run: the store does nothing else while it works on it. */
const MOST_CHARACTERS = 262_144;

/** Completes plain attempts and claims in their place, with one run per turn of the event loop (docs/adr/0016). */
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
   * @returns the answer of the library's scripts to a claim, or that of an empty queue to a step without a claim;
   * undefined when nothing was done, so that the library's scripts have to do it.
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
 * A job that arrives in an empty queue is claimed at once: waiting for other claims would only delay its call. Under
 * load, claims come with completions.
 */
function isClaimAlone({ completed }: Step): boolean {
  return completed === undefined;
}

/** All steps of a run have the same settings. */
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
