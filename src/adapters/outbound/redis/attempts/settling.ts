import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { BreakerMove, Verdict } from '../../../../domain/attempts/breaker.ts';
import { batchIdOf } from '../../../../domain/attempts/batch.ts';
import type { ClaimRequest } from '../../../../domain/attempts/claim.ts';
import type { AttemptEnding } from '../../../../domain/attempts/ending.ts';
import type { Retention } from '../../../../domain/jobs/job-retention.ts';
import type { Scripts } from '../connection/scripts.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import { endedCall } from '../layout/attempt-lines.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { hooksArgument } from '../layout/hooks-argument.ts';
import { luaScript } from '../lua/load.ts';
import type { ClaimAnswer, Claiming } from './claiming.ts';

const settleScript = luaScript('attempts/settle');

/** The request of one caller: to end an attempt, to claim a job, or both in this order. */
export interface Step {
  readonly ended?: EndedAttempt;
  /** Which ended jobs are kept. */
  readonly keep?: Retention | undefined;
  /** Whether the holder of the token reported the ending; such a report is remembered. */
  readonly isReported?: boolean;
  readonly claim?: ClaimRequest | undefined;
}

/** An attempt and its ending, as the script reads them. */
interface EndedAttempt extends AttemptKey {
  /** The return value as JSON, the reason, or the steps as `settle` reads them. */
  readonly value: string;
  /** Its record as `endedCall` writes it; empty if there is none. */
  readonly call: string;
  /** As JSON; empty for a completion without a verdict. */
  readonly terms: string;
  /** Whether other jobs shared its call. */
  readonly isOfBatch?: boolean;
}

/** The outcome of a step. Without a claim, it is as if an empty queue had been claimed from. */
export interface Stepped {
  /** False when the attempt had lost its job: then nothing was done. */
  readonly held: boolean;
  readonly claimed: ClaimAnswer;
  readonly breaker?: BreakerMove;
  readonly beginsHold?: boolean;
  /** Whether the same report ended the attempt before. */
  readonly isRepeated?: boolean;
  /** Whether an answer does not save its steps: nothing was done. */
  readonly isRefused?: boolean;
}

const LOST = -1;
const DONE = 1;

type ClaimedJob = readonly [record: readonly string[] | 0, id: string, steps?: readonly string[]];

type StepAnswer = typeof LOST | typeof DONE | ClaimedJob;

type Answer = readonly [
  nextAt: number,
  limitedFor: number,
  answers: readonly StepAnswer[],
  /** The number of a step and its effect, in turn. */
  effects: readonly (number | string)[],
  /** Whether the claims came after their deadline: 1 or 0. */
  isLate: number,
];

const EFFECTS: Readonly<Record<string, Partial<Stepped>>> = {
  opened: { breaker: 'opened' },
  closed: { breaker: 'closed' },
  held: { beginsHold: true },
  repeated: { isRepeated: true },
  refused: { isRefused: true },
};

/** The most steps in one run. */
const MOST_STEPS = 16;

/** The most steps in one run for clients that pull jobs: as many as one request may ask for. */
const MOST_STEPS_OF_CLIENTS = 100;

/** The most steps in one run for calls with several jobs. */
export const MOST_STEPS_OF_BATCHES = 100;

/** The most characters in the values of a run: the store does nothing else while it executes the run. */
const MOST_CHARACTERS = 262_144;

/** Ends attempts and claims in their place, with one run per turn of the event loop (docs/adr/0016). */
export class Settling {
  readonly #scripts: Scripts;
  readonly #claiming: Claiming;
  readonly #clock: ClockPort;
  readonly #hooks: HooksOfQueues;
  readonly #runs = new SharedRuns<QueueKeys, Step, Stepped>(
    (keys, steps) => this.#run(keys, steps),
    { most: mostWith, largest: MOST_CHARACTERS, sizeOf, agrees, isUrgent: isClaimAlone },
  );

  constructor(scripts: Scripts, claiming: Claiming, clock: ClockPort, hooks: HooksOfQueues) {
    this.#hooks = hooks;
    this.#scripts = scripts;
    this.#claiming = claiming;
    this.#clock = clock;
  }

  take(keys: QueueKeys, step: Step): Promise<Stepped> {
    return this.#runs.add(keys, step);
  }

  /** The step that ends the attempt and, if asked, claims in its place. */
  end(attempt: AttemptKey, ending: AttemptEnding, claim?: ClaimRequest): Step {
    const keep = ending.kind === 'completed' || ending.kind === 'failed' ? ending.keep : undefined;
    return { ended: this.#ended(attempt, ending), keep, claim };
  }

  #ended({ jobId, token }: AttemptKey, ending: AttemptEnding): EndedAttempt {
    const reason = 'reason' in ending ? ending.reason : undefined;
    return {
      jobId,
      token,
      value: valueOf(ending),
      call: ending.call === undefined ? '' : endedCall(ending.call, this.#claiming.replica, reason),
      terms: this.#terms(ending),
      isOfBatch: ending.call?.batch !== undefined,
    };
  }

  /** Each name is spelled out, since the script relies on it; for a verdict it takes those of the domain. */
  #terms(ending: AttemptEnding): string {
    const { kind: how } = ending;
    const cost = ending.call?.cost;
    if (how === 'completed') return termsOfCompletion(ending.verdict, cost);
    if (how === 'suspended') return JSON.stringify({ how: 'saved', cost, verdict: ending.verdict });
    if (how === 'failed') {
      const { verdict, deadLetterQueue: deadLetters } = ending;
      return JSON.stringify({ how, cost, verdict, deadLetters });
    }
    if (how === 'retry') {
      const { delay, half, verdict } = ending;
      return JSON.stringify({ how, cost, delay, half, verdict });
    }
    // The store's clock decides when the hold ends, so the script takes its duration.
    const delay = Math.max(0, ending.until - this.#clock.now());
    const { scope, half } = ending;
    return JSON.stringify({
      how,
      cost,
      delay,
      holdsQueue: scope === 'queue',
      holdsGroup: scope === 'group',
      place: delay === 0 ? ending.place : undefined,
      half,
    });
  }

  async #run(keys: QueueKeys, steps: readonly Step[]): Promise<readonly Stepped[]> {
    const { keep, isReported } = steps[0] ?? {};
    const claim = steps.find((step) => step.claim !== undefined)?.claim;
    const answer = await this.#scripts.run(
      settleScript,
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
        keys.failed,
        keys.limiter,
      ],
      [
        keys.jobPrefix,
        this.#clock.now(),
        this.#claiming.deadlineOf(claim),
        claim?.concurrency ?? '',
        claim?.lockDuration ?? '',
        this.#claiming.replica,
        claim?.isPulled === true ? keys.pulled : '',
        breakerArgument(claim),
        limiterArgument(claim),
        keep?.count ?? '',
        keep?.age ?? '',
        isReported === true ? '1' : '',
        claim?.groups === undefined ? '' : JSON.stringify(claim.groups),
        batchArgument(claim),
        hooksArgument(this.#hooks.of(keys.queue)),
        claim?.isReceived === true ? keys.acceptedQueues : '',
        claim?.limits === undefined ? '' : JSON.stringify(claim.limits),
        claim?.wantsSteps === true ? '1' : '',
        ...stepArguments(steps),
      ],
    );
    const [nextAt, limitedFor, answers, effects, isLate] = answer as Answer;
    if (isLate === 1) await this.#claiming.cameLate();
    const outcomes = answers.map((each): Stepped => {
      if (each === LOST || each === DONE) {
        return { held: each === DONE, claimed: { limitedFor, nextAt } };
      }
      const [record, id, steps] = each;
      return { held: true, claimed: record === 0 ? { skipped: id } : { record, id, steps } };
    });
    for (let index = 0; index < effects.length; index += 2) {
      const step = (effects[index] as number) - 1;
      outcomes[step] = { ...outcomes[step], ...EFFECTS[effects[index + 1] as string] } as Stepped;
    }
    return outcomes;
  }
}

/**
 * A job that arrives in an empty queue is claimed at once: waiting for other claims would only delay its call. Under
 * load, claims come with endings.
 */
function isClaimAlone(step: Step): boolean {
  return step.ended === undefined && mostWith(step) === MOST_STEPS;
}

function mostWith(step: Step): number {
  if (isOfBatch(step)) return MOST_STEPS_OF_BATCHES;
  const isOfClient = step.claim?.isPulled === true || step.isReported === true;
  return isOfClient ? MOST_STEPS_OF_CLIENTS : MOST_STEPS;
}

function isOfBatch({ ended, claim }: Step): boolean {
  return ended?.isOfBatch === true || claim?.batch !== undefined;
}

function sizeOf({ ended }: Step): number {
  return ended?.value.length ?? 0;
}

/** The settings that all claims of one run share, beside their open time and limiter. */
const SHARED_TERMS = [
  ...(['isPulled', 'isReceived', 'hasBreaker', 'wantsSteps', 'concurrency'] as const),
  ...(['lockDuration', 'groups', 'limits', 'batch'] as const),
];

/** All steps of a run have the same settings. */
function agrees(first: Step, step: Step): boolean {
  return (
    first.isReported === step.isReported &&
    (first.keep === step.keep || agreesInRetention(first, step)) &&
    (first.claim === step.claim || agreesInClaim(first, step))
  );
}

function agreesInRetention({ keep: first }: Step, { keep }: Step): boolean {
  return first?.count === keep?.count && first?.age === keep?.age;
}

function agreesInClaim({ claim: first }: Step, { claim }: Step): boolean {
  return (
    first?.openTime?.to === claim?.openTime?.to &&
    first?.limiter?.max === claim?.limiter?.max &&
    first?.limiter?.duration === claim?.limiter?.duration &&
    SHARED_TERMS.every((term) => first?.[term] === claim?.[term])
  );
}

function stepArguments(steps: readonly Step[]): ScriptArgument[] {
  const args: ScriptArgument[] = [];
  for (const { ended, claim } of steps) {
    const { jobId = '', token = '', value = '', call = '', terms = '' } = ended ?? {};
    args.push(jobId, token, value, call, terms, claim?.token ?? '');
  }
  return args;
}

/** The reasons not to call an endpoint do not apply to clients that pull jobs. */
function breakerArgument(claim: ClaimRequest | undefined): string {
  if (claim === undefined || claim.isPulled === true) return '';
  return claim.hasBreaker === true ? '1' : '0';
}

function limiterArgument(claim: ClaimRequest | undefined): string {
  if (claim?.limiter === undefined) return '';
  const { max, duration } = claim.limiter;
  return JSON.stringify({ max, duration });
}

function batchArgument(claim: ClaimRequest | undefined): string {
  if (claim?.batch === undefined) return '';
  const { by, kin } = claim.batch;
  const { half, group, name, goesAlone } = kin ?? {};
  const common = {
    ...(half !== undefined && { half }),
    ...(group !== undefined && { group }),
    ...(goesAlone && { alone: true }),
    name,
  };
  return JSON.stringify({ id: batchIdOf(claim.token), by, ...(kin && { kin: common }) });
}

function valueOf(ending: AttemptEnding): string {
  if (ending.kind === 'completed') return JSON.stringify(ending.returnvalue);
  if (ending.kind !== 'suspended') return ending.reason;
  return ending.request.steps.flatMap(({ name, value }) => [name, value]).join('\n');
}

/** Calls that found their endpoint alive are the common case. */
const UP = JSON.stringify({ how: 'completed', verdict: { isDown: false } });
const UP_AS_PROBE = JSON.stringify({
  how: 'completed',
  verdict: { isDown: false, isOfProbe: true },
});

function termsOfCompletion(verdict: Verdict | undefined, cost: number | undefined): string {
  if (cost !== undefined) return JSON.stringify({ how: 'completed', cost, verdict });
  if (verdict === undefined) return '';
  if (verdict.isDown) return JSON.stringify({ how: 'completed', verdict });
  return verdict.isOfProbe === true ? UP_AS_PROBE : UP;
}
