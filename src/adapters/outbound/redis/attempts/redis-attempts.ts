import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { AttemptEnding, Settled } from '../../../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { AttemptPort } from '../../../../application/ports/attempt-port.ts';
import type { Claim, ClaimRequest } from '../../../../domain/attempts/claim.ts';
import type { OverdueAttempt } from '../../../../domain/attempts/acceptance.ts';
import type { ReportOutcome } from '../../../../domain/attempts/attempt-report.ts';
import type { StalledCheck } from '../../../../domain/attempts/stalled.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { Json } from '../../../../domain/values/json.ts';
import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';
import { cutToBytes } from '../../../../domain/values/text.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { isWrongTypeReply } from '../connection/store-errors.ts';
import { endedCall } from '../layout/attempt-lines.ts';
import { FlowChildren } from '../flows/flow-children.ts';
import { jobFromRecord, jobRecord } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { pulledKey, type QueueKeys } from '../layout/queue-keys.ts';
import { endCallScript } from '../gate/end-call-script.ts';
import type { MarkerWatch } from '../wakeups/marker-watch.ts';
import { AttemptEndings, type FailedJob } from './attempt-endings.ts';
import { AcceptedJobs } from './accepted-jobs.ts';
import { isToken } from './attempt-token.ts';
import { parseBreakerMove } from './breaker-patches.ts';
import { Claiming, skippedBy, takingKeys, type ClaimAnswer } from './claiming.ts';
import { libraryScripts, type LibraryScripts } from './library-scripts.ts';
import { luaScript } from '../lua/load.ts';
import type { NextJobs } from '../schedulers/next-jobs.ts';
import { PlainAttempts } from './plain-attempts.ts';
import { releaseKeys, ReportedEndings } from './reported-endings.ts';

const addLogScript = luaScript('add-log');
const findClaimedScript = luaScript('find-claimed');
const holdsJobScript = luaScript('holds-job');
const renewLocksScript = luaScript('renew-locks');
const reportProgressScript = luaScript('report-progress');

/** Job gone, lock gone and the job not held without it, job not active, or the lock in other hands. */
const LOST_JOB: ReadonlySet<number> = new Set([-1, -2, -3, -6]);

/** Attempts through BullMQ's scripts, patched as docs/adr/0003 says. */
export class RedisAttempts implements AttemptPort {
  readonly #commands: StoreCommands;
  readonly #library: LibraryScripts;
  readonly #keys: QueueKeysCache;
  readonly #markers: MarkerWatch;
  readonly #clock: ClockPort;
  readonly #stalledGrace: number;
  readonly #claiming: Claiming;
  readonly #endings: AttemptEndings;
  readonly #plain: PlainAttempts;
  readonly #reported: ReportedEndings;
  readonly #accepted: AcceptedJobs;

  /**
   * @param stalledGrace how long a lock must have been gone before its job counts as stalled, and how far
   * stalled checks that count are apart, in milliseconds.
   * @param replica the name under which the attempts of this replica are recorded.
   * @throws Error when the installed BullMQ is not the version that the patches are for.
   */
  constructor(
    commands: StoreCommands,
    keys: QueueKeysCache,
    markers: MarkerWatch,
    nextJobs: NextJobs,
    clock: ClockPort,
    stalledGrace: number,
    replica: string,
  ) {
    this.#commands = commands;
    this.#library = libraryScripts();
    this.#keys = keys;
    this.#markers = markers;
    this.#clock = clock;
    this.#stalledGrace = stalledGrace;
    this.#claiming = new Claiming(
      clock,
      commands.time,
      nextJobs,
      new FlowChildren(commands, keys.prefix),
      replica,
    );
    const { finish } = this.#library;
    this.#plain = new PlainAttempts(commands.scripts, finish, this.#claiming, clock);
    this.#endings = new AttemptEndings(
      this.#library,
      commands.scripts,
      this.#claiming,
      clock,
      (keys, jobId) => this.#failedJob(keys, jobId),
    );
    this.#accepted = new AcceptedJobs(commands, keys, clock, stalledGrace);
    this.#reported = new ReportedEndings(
      commands,
      this.#library,
      this.#endings,
      this.#plain,
      clock,
      replica,
    );
  }

  async claim(queue: QueueName, request: ClaimRequest): Promise<Claim> {
    const keys = this.#keys.get(queue);
    const { token } = request;
    const found = request.isRepeated === true ? await this.#findClaimed(keys, token) : undefined;
    if (found !== undefined) return this.#claiming.claimed(queue, keys, found, token);
    for (;;) {
      const answer = await this.#take(keys, request);
      const skipped = skippedBy(answer);
      if (skipped === undefined) return this.#claiming.claimed(queue, keys, answer, token);
      await this.#claiming.skip(queue, skipped);
    }
  }

  async settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled> {
    if (!isToken(attempt.token)) return { held: false };
    const keys = this.#keys.get(queue);
    if (ending.kind === 'completed' && next?.limiter === undefined) {
      const returnvalue = JSON.stringify(ending.returnvalue);
      const call = ending.call ? endedCall(ending.call, this.#claiming.replica) : '';
      const completed = { jobId: attempt.jobId, token: attempt.token, returnvalue, call };
      const answer = await this.#plain.take(keys, { completed, keep: ending.keep, claim: next });
      if (answer !== undefined) {
        if (next === undefined) return { held: true };
        return { held: true, next: await this.#claiming.claimed(queue, keys, answer, next.token) };
      }
    }
    const ended = await this.#endings.end(keys, attempt, ending, next);
    const { answer, ...move } = parseBreakerMove(ended);
    if (typeof answer === 'number' && answer < 0) {
      if (LOST_JOB.has(answer)) return { held: false };
      throw new Error(`Job ${attempt.jobId} could not be ended: the store answered ${answer}`);
    }
    if (ending.kind === 'deferred') return { held: true, beginsHold: answer === 1 };
    if (next === undefined || !Array.isArray(answer)) return { held: true, ...move };
    const claimed = await this.#claiming.claimed(queue, keys, answer as never, next.token);
    return { held: true, ...move, next: claimed };
  }

  async release(queue: QueueName, { jobId, token }: AttemptKey): Promise<void> {
    if (!isToken(token)) return;
    const keys = this.#keys.get(queue);
    const args = [jobId, token, keys.jobPrefix + jobId];
    await this.#commands.scripts.run(this.#library.release, releaseKeys(keys), args);
  }

  reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome> {
    return this.#reported.end(this.#keys.get(queue), attempt, ending);
  }

  reportRelease(queue: QueueName, attempt: AttemptKey, delay: number): Promise<ReportOutcome> {
    return this.#reported.release(this.#keys.get(queue), attempt, delay);
  }

  async holds(queue: QueueName, { jobId, token }: AttemptKey): Promise<boolean> {
    if (!isToken(token)) return false;
    const keys = this.#keys.get(queue);
    const names = [keys.jobPrefix + jobId, keys.active];
    return (await this.#commands.scripts.run(holdsJobScript, names, [token, jobId])) === 1;
  }

  wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#reported.wasReported(this.#keys.get(queue), attempt);
  }

  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#accepted.extend(queue, attempt, duration);
  }

  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#accepted.accept(queue, attempt, duration);
  }

  async endCall(queue: QueueName, { token }: AttemptKey): Promise<void> {
    const { meta, marker, jobPrefix } = this.#keys.get(queue);
    await this.#commands.scripts.run(endCallScript, [meta, marker], [jobPrefix, token]);
  }

  overdue(): Promise<readonly OverdueAttempt[]> {
    return this.#accepted.overdue();
  }

  async renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]> {
    const keys = this.#keys.get(queue);
    const lost = (await this.#commands.scripts.run(
      renewLocksScript,
      [keys.stalled, keys.active],
      [keys.jobPrefix, duration, ...attempts.flatMap(({ jobId, token }) => [jobId, token])],
    )) as number[];
    return lost.map((position) => attempts[position - 1] as Held);
  }

  async reportProgress(
    queue: QueueName,
    { jobId, token }: AttemptKey,
    progress: Json,
  ): Promise<boolean> {
    if (!isToken(token)) return false;
    const keys = this.#keys.get(queue);
    const reported = await this.#commands.scripts.run(
      reportProgressScript,
      [keys.jobPrefix + jobId, keys.active, keys.events, keys.meta],
      [token, jobId, JSON.stringify(progress)],
    );
    return reported === 1;
  }

  async addLog(queue: QueueName, { jobId, token }: AttemptKey, line: string): Promise<boolean> {
    if (!isToken(token)) return false;
    const keys = this.#keys.get(queue);
    const job = keys.jobPrefix + jobId;
    const added = await this.#commands.scripts.run(
      addLogScript,
      [job, keys.active, `${job}:logs`, keys.events, keys.meta],
      [token, jobId, line, cutToBytes(line, MAX_EVENT_VALUE)],
    );
    return added === 1;
  }

  async recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck> {
    const keys = this.#keys.get(queue);
    const now = this.#clock.now();
    const answer = await this.#commands.scripts.run(
      this.#library.recoverStalled,
      [
        keys.stalled,
        keys.wait,
        keys.active,
        keys.stalledCheck,
        keys.meta,
        keys.paused,
        keys.marker,
        keys.events,
        keys.repeat,
      ],
      [maxStalledCount, keys.jobPrefix, now, this.#stalledGrace, keys.pulled],
    );
    const [stalled, suspected] = answer as [string[], number];
    return suspected === 1 ? { stalled, checkAgainAt: now + this.#stalledGrace } : { stalled };
  }

  async pulledQueues(): Promise<readonly QueueName[]> {
    const { client, errors } = this.#commands;
    return (await errors.run(() => client.smembers(pulledKey(this.#keys.prefix)))) as QueueName[];
  }

  async waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void> {
    await this.#markers.wait(this.#keys.get(queue).marker, until - this.#clock.now(), signal);
  }

  async #take(keys: QueueKeys, request: ClaimRequest): Promise<ClaimAnswer> {
    const { token, limiter, isPulled } = request;
    if (limiter === undefined) {
      const answer = await this.#plain.take(keys, { claim: request });
      if (answer !== undefined) return answer;
    }
    const answer = await this.#commands.scripts.run(
      this.#library.claim,
      [...takingKeys(keys), keys.marker],
      [
        keys.jobPrefix,
        this.#clock.now(),
        this.#claiming.pack({
          token,
          ...this.#claiming.options(request),
          ...(isPulled === true && { pulled: keys.pulled }),
        }),
      ],
    );
    return answer as ClaimAnswer;
  }

  async #findClaimed(keys: QueueKeys, token: string): Promise<ClaimAnswer | undefined> {
    const args = [keys.jobPrefix, token];
    const found = await this.#commands.scripts.run(findClaimedScript, [keys.active], args);
    return Array.isArray(found) ? (found as unknown as ClaimAnswer) : undefined;
  }

  async #failedJob({ jobPrefix, queue }: QueueKeys, jobId: string): Promise<FailedJob> {
    const fields = ['opts', 'stacktrace'];
    const { client, errors } = this.#commands;
    const values = await errors.run(() =>
      client.hmget(jobPrefix + jobId, ...fields).catch(noFieldsOfWrongType),
    );
    const present = fields.flatMap((field, index) => {
      const value = values[index];
      return typeof value === 'string' ? [field, value] : [];
    });
    return jobFromRecord(jobId, jobRecord(present), queue);
  }
}

/** The id in a report may name a key of the queue that is not a job. */
function noFieldsOfWrongType(error: unknown): readonly null[] {
  if (!isWrongTypeReply(error)) throw error;
  return [];
}
