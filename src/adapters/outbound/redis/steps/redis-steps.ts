import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SavedStep, StepOutcome, StepPort } from '../../../../application/ports/step-port.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import { withCost } from '../../../../domain/attempts/attempt-record.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import { isStoreUnavailable } from '../../../../domain/errors.ts';
import { REPORTED } from '../../../../domain/attempts/breaker.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import { JOB_STATES } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { Awaited } from '../../../../domain/steps/awaited.ts';
import type { NewStep } from '../../../../domain/steps/step.ts';
import { isOver, type Suspension } from '../../../../domain/steps/suspension.ts';
import type {
  SuspensionRefusal,
  SuspensionRequest,
} from '../../../../domain/steps/suspension-request.ts';
import { endedWaits } from '../../../../domain/transitions/steps.ts';
import { isToken } from '../attempts/attempt-token.ts';
import { suspendJob } from '../attempts/suspending.ts';
import { sizeInBytes } from '../../../../domain/values/text.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { GuardedRuns } from '../control/guarded-runs.ts';
import { endedCall } from '../layout/attempt-lines.ts';
import { jobRecord } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { SUSPENSION } from '../layout/step-keys.ts';
import { readSteps } from '../layout/step-values.ts';
import { listSteps, removeSteps, saveSteps, type Saved } from '../scripts/attempts.ts';

/** The states of a job that no attempt holds. */
const NOT_HELD = JOB_STATES.filter((state) => state !== 'active');

/** The most characters in one run, and what a step counts at least: the store does nothing else while it executes the run. */
const [MOST_CHARACTERS, LEAST_SIZE] = [262_144, 2048];

/** The steps of jobs, in a hash of their own beside that of the job. */
export class RedisSteps implements StepPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #runs: GuardedRuns;
  readonly #replica: string;
  /** Calls of one moment share a run, which an error of the key of one undoes for none of them. */
  readonly #saves = new SharedRuns<QueueKeys, AttemptKey & NewStep, Saved>(
    (keys, saves) => {
      const steps = saves.flatMap(({ token, jobId, name, value }) => [token, jobId, name, value]);
      const now = this.#clock.now();
      return callInTime(this.#store, saveSteps, keys, { now }, 'a step', steps);
    },
    {
      largest: MOST_CHARACTERS,
      sizeOf: ({ value }) => LEAST_SIZE + value.length,
      isOfSome: (error) => !isStoreUnavailable(error),
    },
  );

  /** @param replica the name under which the attempts of this replica are recorded. */
  constructor(store: StoreCommands, clock: ClockPort, replica: string) {
    this.#store = store;
    this.#clock = clock;
    this.#runs = new GuardedRuns(store);
    this.#replica = replica;
  }

  async list(queue: QueueName, jobId: string): Promise<readonly SavedStep[] | undefined> {
    const found = await this.#store.callOf(queue, listSteps, { id: jobId });
    if (found === undefined) return undefined;
    const [values, suspension] = found;
    const saved = readSteps(jobRecord(values)).map((step) => ({
      ...step,
      size: sizeInBytes(step.value),
    }));
    const steps = [...saved, ...endedWaits(waitsOf(suspension), this.#clock.now())];
    return steps.sort((one, other) => one.at - other.at);
  }

  async awaited(queue: QueueName, jobId: string): Promise<Awaited | undefined> {
    const { jobPrefix, delayed } = this.#store.keysOf(queue);
    const job = `${jobPrefix}${jobId}`;
    const [suspension, dueAt, parentAt] = await this.#store.run((client) =>
      Promise.all([
        client.hget(job, SUSPENSION),
        client.zscore(delayed, jobId),
        client.zscore(`${jobPrefix}waiting-children`, jobId),
      ]),
    );
    const isParent = parentAt !== null;
    if (suspension === null || (dueAt === null && !isParent)) return undefined;
    const waits = waitsOf(suspension).filter((wait) => !isOver(wait, this.#clock.now(), isParent));
    if (waits.length === 0) return undefined;
    const added = waits.flatMap((wait) => (wait.kind === 'jobs' ? wait.jobs : []));
    return { waits, jobs: added.length === 0 ? [] : await this.#unended(job, added) };
  }

  /** Those of the added jobs that have not ended. */
  async #unended(job: string, added: readonly JobAddress[]): Promise<readonly JobAddress[]> {
    const keys = added.map(({ queue, id }) => `${this.#store.keysOf(queue).jobPrefix}${id}`);
    const awaited = await this.#store.run((client) =>
      client.smismember(`${job}:dependencies`, ...keys),
    );
    return added.filter((_, index) => awaited[index] === 1);
  }

  async save(queue: QueueName, attempt: AttemptKey, step: NewStep): Promise<StepOutcome> {
    if (!isToken(attempt.token)) return { kind: 'refused' };
    const answer = await this.#saves.add(this.#store.keysOf(queue), { ...attempt, ...step });
    if (answer[0] === 'known') return { kind: 'known', value: answer[1] };
    return answer[0] === 'too-much' ? { kind: 'too-much', excess: answer[1] } : { kind: answer[0] };
  }

  async suspend(
    queue: QueueName,
    attempt: AttemptKey,
    request: SuspensionRequest,
  ): Promise<ReportOutcome | SuspensionRefusal> {
    if (!isToken(attempt.token)) return 'refused';
    const { cost } = request;
    const line = endedCall(withCost({ outcome: 'suspended' }, cost), this.#replica);
    const now = this.#clock.now();
    const terms = { request, line, verdict: REPORTED, cost, isReported: true, now };
    const outcome = await suspendJob(this.#store, queue, attempt, terms);
    if (typeof outcome === 'string') return outcome === 'lost' ? 'refused' : outcome;
    return outcome.refusal ?? 'recorded';
  }

  remove(queue: QueueName, jobId: string, name = ''): Promise<ActionOutcome> {
    const args = { name, now: this.#clock.now() };
    return this.#runs.outcome(queue, removeSteps, jobId, NOT_HELD, args);
  }
}

function waitsOf(suspension: string): Suspension['waits'] {
  if (suspension === '') return [];
  const { waits } = JSON.parse(suspension) as Suspension;
  // Lua writes an empty list as an object.
  return Array.isArray(waits) ? (waits as Suspension['waits']) : [];
}
