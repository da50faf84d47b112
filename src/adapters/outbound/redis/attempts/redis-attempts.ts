import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { AttemptEnding, MovingEnding, Settled } from '../../../../domain/attempts/ending.ts';
import type { Attempt, AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import type { AttemptEnginePort } from '../../../../application/ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../../../../application/ports/attempt-holder-port.ts';
import type { AttemptSweepPort } from '../../../../application/ports/attempt-sweep-port.ts';
import type {
  BatchRequest,
  Claim,
  ClaimRequest,
  ClaimedBatch,
} from '../../../../domain/attempts/claim.ts';
import type { OverdueSearch } from '../../../../domain/attempts/acceptance.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { StalledCheck } from '../../../../domain/attempts/stalled.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { Job } from '../../../../domain/jobs/job.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { CallOfSeveral } from '../../../../domain/attempts/attempt-record.ts';
import { batchIdOf, kinshipOf } from '../../../../domain/attempts/batch.ts';
import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { cutToBytes } from '../../../../domain/values/text.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { FlowChildren } from '../flows/flow-children.ts';
import { jobFromRecord, jobRecord } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { endedCall } from '../layout/attempt-lines.ts';
import { REPORTS } from '../layout/acceptance-keys.ts';
import { CALL } from '../layout/gate-keys.ts';
import type { MarkerWatch } from '../wakeups/marker-watch.ts';
import { AcceptedJobs } from './accepted-jobs.ts';
import { isToken } from './attempt-token.ts';
import { Claiming, type ClaimAnswer } from './claiming.ts';
import { suspendJob } from './suspending.ts';
import {
  addLog,
  endCall,
  findClaimed,
  holdsJob,
  readHeldJob,
  readReport,
  recoverStalled,
  release,
  renewLocks,
  reportProgress,
} from '../scripts/attempts.ts';
import type { NextJobs } from '../schedulers/next-jobs.ts';
import { MOST_STEPS_OF_BATCHES, Settling } from './settling.ts';

type SuspendedEnding = Extract<AttemptEnding, { readonly kind: 'suspended' }>;

/** Attempts by scripts that write the layout of BullMQ, whose workers and producers share the queues (docs/adr/0016). */
export class RedisAttempts implements AttemptEnginePort, AttemptHolderPort, AttemptSweepPort {
  readonly #store: StoreCommands;
  readonly #markers: MarkerWatch;
  readonly #clock: ClockPort;
  readonly #stalledGrace: number;
  readonly #claiming: Claiming;
  readonly #settling: Settling;
  readonly #accepted: AcceptedJobs;

  /**
   * @param stalledGrace how long a job must have had no lock to count as stalled, and the least time between two
   * stalled checks that count, in milliseconds.
   * @param replica the name under which the attempts of this replica are recorded.
   * @throws Error when the installed BullMQ is not the version whose layout the scripts write.
   */
  constructor(
    store: StoreCommands,
    markers: MarkerWatch,
    nextJobs: NextJobs,
    clock: ClockPort,
    stalledGrace: number,
    replica: string,
    hooks: HooksOfQueues,
  ) {
    this.#store = store;
    this.#markers = markers;
    this.#clock = clock;
    this.#stalledGrace = stalledGrace;
    const children = new FlowChildren(store);
    this.#claiming = new Claiming({ clock, store, nextJobs, children, replica });
    this.#settling = new Settling(store.scripts, this.#claiming, clock, hooks);
    this.#accepted = new AcceptedJobs(store, clock, stalledGrace);
  }

  async claim(queue: QueueName, request: ClaimRequest): Promise<Claim> {
    for (;;) {
      const claim = await this.#claimOnce(queue, request);
      if (claim !== undefined) return claim;
    }
  }

  async claimBatch(queue: QueueName, request: BatchRequest): Promise<ClaimedBatch> {
    const { tokens, ...terms } = request;
    const attempts: Attempt[] = [];
    for (const some of piecesOf(tokens, MOST_STEPS_OF_BATCHES)) {
      const [first] = attempts;
      const kin = terms.batch.kin ?? (first && kinshipOf(first));
      // One object for all claims, since calls share a run only with the same one.
      const batch = { ...terms.batch, kin };
      const claims = some.map((token) => this.#claimOnce(queue, { ...terms, batch, token }));
      const lacks = [];
      for (const claim of await Promise.all(claims)) {
        if (claim?.kind === 'attempt') attempts.push(claim.attempt);
        else lacks.push(claim ?? ({ kind: 'idle' } as const));
      }
      const [lack] = lacks;
      if (lack !== undefined) return { attempts, lack };
    }
    return { attempts };
  }

  async settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled> {
    if (!isToken(attempt.token)) return { held: false };
    if (ending.kind === 'suspended' && awaits(ending.request)) {
      return this.#suspend(queue, attempt, ending, next);
    }
    const keys = this.#store.keysOf(queue);
    const openTime = next?.openTime;
    const refused = openTime && (await this.#claiming.refused(openTime));
    const step = this.#settling.end(attempt, ending, refused === undefined ? next : undefined);
    const { held, claimed, breaker, ...rest } = await this.#settling.take(keys, step);
    const { beginsHold = false, isRefused = false } = rest;
    if (isRefused && ending.kind === 'suspended')
      return this.#suspend(queue, attempt, ending, next);
    if (!held) return { held };
    const effects = {
      ...(ending.kind === 'deferred' && { beginsHold }),
      ...(breaker !== undefined && { breaker }),
    };
    if (next === undefined) return { held, ...effects };
    if (refused !== undefined) return { held, next: refused, ...effects };
    const following = this.#claiming.claimed(queue, keys, claimed, next);
    return { held, next: await following.catch(() => undefined), ...effects };
  }

  async reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: MovingEnding,
  ): Promise<ReportOutcome> {
    if (!isToken(attempt.token)) return 'refused';
    const step = { ...this.#settling.end(attempt, ending), isReported: true };
    const { held, isRepeated } = await this.#settling.take(this.#store.keysOf(queue), step);
    if (isRepeated === true) return 'repeated';
    return held ? 'recorded' : 'refused';
  }

  /** The claim is made apart: no other script has to know what jobs await, and why they are not suspended. */
  async #suspend(
    queue: QueueName,
    attempt: AttemptKey,
    { request, call, verdict }: SuspendedEnding,
    next: ClaimRequest | undefined,
  ): Promise<Settled> {
    const line = call === undefined ? '' : endedCall(call, this.#claiming.replica);
    const now = this.#clock.now();
    const terms = { request, line, verdict, cost: call?.cost, isReported: false, now };
    const outcome = await suspendJob(this.#store, queue, attempt, terms);
    if (typeof outcome === 'string') return { held: false };
    const settled = { held: true, ...outcome };
    if (outcome.refusal !== undefined || next === undefined) return settled;
    return { ...settled, next: await this.claim(queue, next).catch(() => undefined) };
  }

  async release(
    queue: QueueName,
    attempt: AttemptKey,
    isUncounted = false,
    delay = 0,
  ): Promise<void> {
    if (!isToken(attempt.token)) return;
    const args = { ...this.#releasedNow(attempt), isUncounted, delay, deadline: '' };
    await this.#store.callOf(queue, release, args);
  }

  /** If the store does not answer in time, it does not make the change later either. */
  async reportRelease(
    queue: QueueName,
    attempt: AttemptKey,
    delay: number,
    cost?: number,
  ): Promise<ReportOutcome> {
    if (!isToken(attempt.token)) return 'refused';
    const keys = this.#store.keysOf(queue);
    const args = { ...this.#releasedNow(attempt), delay, cost, isReported: true };
    const answer = await callInTime(this.#store, release, keys, args, 'a release');
    if (answer === 'repeated') return 'repeated';
    return answer === 1 ? 'recorded' : 'refused';
  }

  #releasedNow({ jobId: id, token }: AttemptKey) {
    const terms = { delay: 0, isReported: false, isUncounted: false, cost: undefined };
    return { timestamp: this.#clock.now(), token, id, ...terms };
  }

  async holds(queue: QueueName, { jobId: id, token }: AttemptKey): Promise<boolean> {
    if (!isToken(token)) return false;
    return this.#store.callOf(queue, holdsJob, { token, id });
  }

  async heldJob(queue: QueueName, { jobId: id, token }: AttemptKey): Promise<Job | undefined> {
    if (!isToken(token)) return undefined;
    const keys = this.#store.keysOf(queue);
    const fields = await this.#store.call(readHeldJob, keys, { token, id });
    return fields && jobFromRecord(id, jobRecord(fields), queue, 'active');
  }

  async noteCall(queue: QueueName, { id, size }: CallOfSeveral, duration: number): Promise<void> {
    await this.#store.run((client) => client.set(this.#callKey(queue, id), size, 'PX', duration));
  }

  async forgetCall(queue: QueueName, id: string): Promise<void> {
    await this.#store.run((client) => client.del(this.#callKey(queue, id)));
  }

  async callOf(queue: QueueName, { token }: AttemptKey): Promise<CallOfSeveral | undefined> {
    if (!isToken(token)) return undefined;
    const id = batchIdOf(token);
    const size = await this.#store.run((client) => client.get(this.#callKey(queue, id)));
    return size === null ? undefined : { id, size: Number(size) };
  }

  #callKey(queue: QueueName, id: string): string {
    return this.#store.keysOf(queue).jobPrefix + CALL + id;
  }

  /** Whether a report recently ended the attempt. */
  async wasReported(queue: QueueName, { jobId, token }: AttemptKey): Promise<boolean> {
    const report = this.#store.keysOf(queue).jobPrefix + REPORTS + token;
    const reported = await this.#store.call(readReport, { report });
    return reported?.endsWith(`:${jobId}`) === true;
  }

  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#accepted.extend(queue, attempt, duration);
  }

  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#accepted.accept(queue, attempt, duration);
  }

  async endCall(queue: QueueName, { token }: AttemptKey): Promise<void> {
    await this.#store.callOf(queue, endCall, { token });
  }

  overdue(): Promise<OverdueSearch> {
    return this.#accepted.overdue();
  }

  async renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]> {
    const keys = this.#store.keysOf(queue);
    const held = attempts.flatMap(({ jobId, token }) => [jobId, token]);
    const lost = await this.#store.call(renewLocks, keys, { duration }, held);
    return lost.map((position) => attempts[position - 1] as Held);
  }

  async reportProgress(
    queue: QueueName,
    { jobId: id, token }: AttemptKey,
    progress: Json,
  ): Promise<boolean> {
    if (!isToken(token)) return false;
    const args = { token, id, progress: JSON.stringify(progress) };
    return this.#store.callOf(queue, reportProgress, args);
  }

  async addLog(queue: QueueName, { jobId, token }: AttemptKey, line: string): Promise<boolean> {
    if (!isToken(token)) return false;
    const keys = this.#store.keysOf(queue);
    const logs = `${keys.jobPrefix}${jobId}:logs`;
    const args = { token, id: jobId, logs, line, brief: cutToBytes(line, MAX_EVENT_VALUE) };
    return this.#store.call(addLog, keys, args);
  }

  async recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck> {
    const now = this.#clock.now();
    const [stalled, againIn] = await this.#store.callOf(queue, recoverStalled, {
      mostStalls: maxStalledCount,
      timestamp: now,
      apart: this.#stalledGrace,
    });
    return againIn < 0 ? { stalled } : { stalled, checkAgainAt: now + againIn };
  }

  async pulledQueues(): Promise<readonly QueueName[]> {
    return (await this.#store.run((client) =>
      client.smembers(this.#store.all.pulled),
    )) as QueueName[];
  }

  async waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void> {
    const ms = Math.max(0, until - this.#clock.now());
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    // Ends early when the clock is set: the time may be over by then.
    void this.#clock.sleep(ms, over.signal).then(end);
    await this.#markers.wait(this.#store.keysOf(queue).marker, ms, over.signal);
    signal.removeEventListener('abort', end);
    end();
  }

  /** Undefined when the slot of the job is skipped that the claim would have got. */
  async #claimOnce(queue: QueueName, request: ClaimRequest): Promise<Claim | undefined> {
    const keys = this.#store.keysOf(queue);
    const { token, openTime, lockDuration } = request;
    const found = request.isRepeated === true ? await this.#findClaimed(keys, token) : undefined;
    const refused = found === undefined && openTime && (await this.#claiming.refused(openTime));
    if (refused) return refused;
    const answer = found ?? (await this.#settling.take(keys, { claim: request })).claimed;
    if ('skipped' in answer) {
      await this.#claiming.skip(queue, answer.skipped);
      return undefined;
    }
    const claim = await this.#claiming.claimed(queue, keys, answer, request);
    if (found !== undefined && claim.kind === 'attempt' && request.isReceived === true) {
      await this.accept(queue, claim.attempt, lockDuration);
    }
    return claim;
  }

  async #findClaimed(keys: QueueKeys, token: string): Promise<ClaimAnswer | undefined> {
    const found = await this.#store.call(findClaimed, keys, { token });
    return found && { record: found[0], id: found[1] };
  }
}

/** Whether a job rests, and does not wait again at once. */
function awaits({ sleeps, signals, added }: SuspendedEnding['request']): boolean {
  return sleeps.length + signals.length + added.length > 0;
}
