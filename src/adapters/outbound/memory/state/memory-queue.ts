import { setImmediate } from 'node:timers/promises';
import type { FailedJob } from '../../../../domain/jobs/failures.ts';
import type { AttemptEnding, Settled } from '../../../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { Claim, ClaimRequest } from '../../../../domain/attempts/claim.ts';
import type { OverdueAttempt } from '../../../../domain/attempts/acceptance.ts';
import {
  lateReportOutcome,
  reportOf,
  type ReportOutcome,
} from '../../../../domain/attempts/attempt-report.ts';
import type { StalledCheck } from '../../../../domain/attempts/stalled.ts';
import type {
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueueSummary,
  RepeatableJobs,
} from '../../../../application/ports/queue-port.ts';
import type { JobCancellation } from '../../../../application/ports/job-control-port.ts';
import type { EndingSubscribers } from '../../../shared/ending-subscribers.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { UnstartedStatus } from '../../../../domain/attempts/order.ts';
import type { OpenBreaker } from '../../../../domain/attempts/breaker.ts';
import type { Deduplication } from '../../../../domain/jobs/deduplication.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { JobChange } from '../../../../domain/jobs/job-change.ts';
import type { JobRetry } from '../../../../domain/jobs/job-retry.ts';
import type { Hold } from '../../../../domain/queues/hold.ts';
import type { JobState, StateCounts } from '../../../../domain/jobs/job-status.ts';
import { KEPT_LOG_LINES, type JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { Job, NewJob } from '../../../../domain/jobs/job.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { StandingQuery } from '../../../../application/ports/queue-standing-port.ts';
import {
  GROUPS_OF_A_PIECE,
  MOST_DELAYED_COUNTED,
} from '../../../../application/ports/group-store-port.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { byteOrder } from '../../../shared/byte-order.ts';
import { CLAIMED_FOR, type QueueStanding } from '../../../../domain/workers/blocked.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { GroupStanding } from '../../../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { NewScheduler } from '../../../../domain/schedulers/scheduler.ts';
import type { Calendar } from '../../../../domain/schedulers/slots.ts';
import { Attempts } from './attempts.ts';
import type { FamilyTies } from './family-ties.ts';
import type { ListPosition } from './job-list.ts';
import { sizeOf, startableAt, toJob, type StoredJob, endingOf } from './stored-job.ts';
import type { JobDetails } from './job-details.ts';
import { JobReading, withChildren } from './job-reading.ts';
import { isStored, type ListedJob } from './listed-job.ts';
import { QueueAdding, type ShownJobs, type ShownOnce } from './queue-adding.ts';
import { QueueJobControl } from './queue-job-control.ts';
import { inPieces, LARGEST_PIECE } from './pieces.ts';
import { sortedInTurns } from '../../../shared/sorted-in-turns.ts';
import type { QueueEvents } from './queue-events.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import { pieceRecordId } from './call-window.ts';
import { CallsOfSeveral } from './calls-of-several.ts';
import type { QueueGroups } from './queue-groups.ts';
import { QueueJobs } from './queue-jobs.ts';
import { QueueRecords } from './queue-records.ts';
import { RememberedReports } from './remembered-reports.ts';
import { QueueSchedulers } from './queue-schedulers.ts';
import { StalledJobs } from './stalled-jobs.ts';
import { WaitingParents } from './waiting-parents.ts';
import { WakeUp } from './wake-up.ts';

/** One queue. Each method is one step: it ends before any other code sees its effects. */
export class MemoryQueue {
  readonly #clock: ClockPort;
  readonly #name: QueueName;
  readonly #stalledGrace: number;
  readonly #jobs: QueueJobs;
  readonly #details: JobDetails;
  /** Reads its jobs with all that is kept of them. */
  readonly reading: JobReading;
  readonly #adding: QueueAdding;
  readonly #attempts: Attempts;
  readonly #stalledJobs: StalledJobs;
  readonly #control: QueueJobControl;
  readonly schedulers: QueueSchedulers;
  /** Its jobs that wait for their children. */
  readonly parents: WaitingParents;
  /** Its calls with several jobs. */
  readonly calls: CallsOfSeveral;
  /** What is written of it, where the store is kept on a disk. */
  readonly records: QueueRecords;
  readonly #wakeUp: WakeUp;
  /** Its latest events. */
  readonly events: QueueEvents;
  readonly #reports: RememberedReports;
  readonly #changes: ChangesOfQueue;
  /** A claim alone does not create the queue. */
  #isCreated = false;
  #isPulled = false;
  /** When (epoch ms) a client last claimed jobs, as far as it was noted. */
  #claimedAt: number | undefined;

  /**
   * @param stalledGrace as in the constructor of MemoryStore, like the prefix.
   * @param endingSubscribers are notified when jobs end.
   * @param family receives what happens to jobs that have a parent.
   * @param details reads what is not in memory of jobs that ended.
   */
  constructor(
    clock: ClockPort,
    name: QueueName,
    prefix: string,
    stalledGrace: number,
    endingSubscribers: EndingSubscribers,
    events: QueueEvents,
    family: FamilyTies,
    changes: ChangesOfQueue,
    details: JobDetails,
  ) {
    this.#clock = clock;
    this.#details = details;
    this.#changes = changes;
    this.#name = name;
    this.#stalledGrace = stalledGrace;
    this.events = events;
    this.#jobs = new QueueJobs(
      events,
      changes,
      (job) => {
        if (endingSubscribers.has(name)) endingSubscribers.notify(name, job.id, endingOf(job));
        if (job.schedulerId !== undefined) this.schedulers.ended(job);
        if (job.parent !== undefined) family.ended(name, job);
      },
      (job, isDrained) => {
        if (job.parent !== undefined) family.removed(name, job, isDrained);
      },
    );
    this.reading = new JobReading(name, (id) => this.#jobs.find(id), details);
    this.#adding = new QueueAdding(this.#jobs, name, this.reading, changes);
    this.schedulers = new QueueSchedulers(this.#jobs, changes);
    this.#reports = new RememberedReports(changes);
    this.#attempts = new Attempts(
      this.#jobs,
      name,
      (job, now) => this.schedulers.skip(job, now),
      (piece) => {
        changes.note('limiter', pieceRecordId(NO_GROUP, piece));
      },
    );
    this.calls = new CallsOfSeveral(clock, () => {
      this.#noteQueue();
    });
    this.#stalledJobs = new StalledJobs(this.#jobs, this.calls, stalledGrace);
    this.#control = new QueueJobControl(
      this.#jobs,
      this.schedulers,
      this.calls,
      (job) => {
        family.startedOver(name, job);
      },
      (job, now) => {
        this.#attempts.cancelled(job, now);
      },
    );
    this.#wakeUp = new WakeUp(clock);
    this.parents = new WaitingParents(this.#jobs, name, prefix, clock, this.#wakeUp);
    this.records = new QueueRecords(
      {
        jobs: this.#jobs,
        events,
        attempts: this.#attempts,
        calls: this.calls,
        schedulers: this.schedulers,
        adds: this.#adding.remembered,
        reports: this.#reports,
        status: {
          get: () => ({
            isCreated: this.#isCreated,
            isPulled: this.#isPulled,
            claimedAt: this.#claimedAt,
            stalledCheckAt: this.#stalledJobs.nextAt,
          }),
          restore: ({ isCreated, isPulled, claimedAt, stalledCheckAt }) => {
            this.#stalledJobs.nextAt = stalledCheckAt;
            this.#isCreated = isCreated;
            this.#isPulled = isPulled;
            this.#claimedAt = claimedAt;
          },
        },
      },
      changes,
    );
  }

  add(jobs: readonly NewJob[], maxWaiting?: number, maxWaitingOfGroup?: number): ShownJobs {
    const added = this.#adding.add(jobs, maxWaiting, this.#clock.now(), maxWaitingOfGroup);
    this.#isCreated = true;
    this.#wakeUp.notify();
    return added;
  }

  addOnce(add: RepeatableJobs, identity: AddIdentity): ShownOnce {
    const outcome = this.#adding.addOnce(add, identity, this.#clock.now());
    if (outcome.kind === 'added' && add.jobs.length > 0) {
      this.#isCreated = true;
      this.#wakeUp.notify();
    }
    return outcome;
  }

  recall(add: RepeatableJobs, identity: AddIdentity): ShownOnce | undefined {
    return this.#adding.recall(add, identity, this.#clock.now());
  }

  list(query: JobsQuery): JobsSlice {
    const counts = this.#jobs.listed.counts();
    const listed = this.#jobs.listed.slice(query);
    if (listed.every(isStored) && charactersOf(listed) <= LARGEST_PIECE) {
      return { counts, jobs: [listed.map((job) => this.#toJob(job))] };
    }
    return { counts, jobs: this.#read(listed.map(({ id }) => id)) };
  }

  /** The ids of a slice, and the counts at the same moment. */
  page(query: JobsQuery): { readonly counts: StateCounts; readonly ids: readonly string[] } {
    return {
      counts: this.#jobs.listed.counts(),
      ids: this.#jobs.listed.slice(query).map(({ id }) => id),
    };
  }

  summary(): QueueSummary {
    const counts = this.#jobs.listed.counts();
    const waiting = this.#jobs.listed.longestWaiting().map(startableAt);
    return waiting.length === 0 ? { counts } : { counts, waitingSince: Math.min(...waiting) };
  }

  /** The jobs that wait for their children, the oldest first. */
  parentsThatWait(most: number): readonly ListedJob[] {
    return this.#jobs.listed.endOf('waiting-children', most);
  }

  get isCreated(): boolean {
    return this.#isCreated;
  }

  get isPaused(): boolean {
    return this.#attempts.isPaused;
  }

  /** Makes the queue exist from now on, even without a job. */
  create(): void {
    if (this.#isCreated) return;
    this.#isCreated = true;
    this.#noteQueue();
  }

  pause(): void {
    this.#isCreated = true;
    this.#noteQueue();
    if (!this.isPaused) this.events.record('paused');
    this.#attempts.isPaused = true;
  }

  resume(): void {
    if (this.isPaused) this.events.record('resumed');
    this.#attempts.isPaused = false;
    this.#noteQueue();
    this.#wakeUp.notify();
  }

  get held(): Hold | undefined {
    return this.#attempts.holdAt(this.#clock.now());
  }

  hold(duration: number): number {
    this.#isCreated = true;
    this.#noteQueue();
    return this.#attempts.hold(duration, 'caller', this.#clock.now());
  }

  get openBreaker(): OpenBreaker | undefined {
    return this.#attempts.openBreaker(this.#clock.now());
  }

  standing(query: Pick<StandingQuery, 'limiter' | 'hasBatches'>): QueueStanding {
    const now = this.#clock.now();
    const claimedAt = this.#claimedAt;
    const isServed = claimedAt !== undefined && now - claimedAt < CLAIMED_FOR;
    return { ...this.#attempts.standing(query, now), ...(isServed && { claimedAt }) };
  }

  /** @returns false for a queue that does not exist. */
  noteClaim(): boolean {
    if (!this.#isCreated) return false;
    this.#claimedAt = this.#clock.now();
    this.#noteQueue();
    return true;
  }

  closeBreaker(): void {
    this.#noteQueue();
    this.#attempts.closeBreaker();
  }

  endHold(): void {
    this.#noteQueue();
    this.#attempts.endHold();
    this.#wakeUp.notify();
  }

  /**
   * The first of the added jobs that its group has no room for. @param added undefined in place of jobs of other
   * queues.
   */
  firstWithoutRoom(added: Parameters<QueueGroups['firstWithoutRoom']>[0], maxWaiting?: number) {
    return this.#jobs.groups.firstWithoutRoom(added, maxWaiting, this.#clock.now());
  }

  /** How many entries the groups take, not counting those of shares. */
  get groupEntries(): number {
    return this.#jobs.groups.entries;
  }

  /** By id, in short turns of the event loop. @param defaults those in force. */
  async *groups(defaults: GroupDefaults | undefined): AsyncGenerator<readonly GroupStanding[]> {
    const { groups } = this.#jobs;
    const delayed = groups.delayedJobs(MOST_DELAYED_COUNTED);
    const ids = await sortedInTurns(groups.ids(delayed), byteOrder);
    for (const piece of piecesOf(ids, GROUPS_OF_A_PIECE)) {
      yield groups.standings(piece, delayed, defaults, this.#clock.now());
      await setImmediate();
    }
  }

  group(id: string, defaults: GroupDefaults | undefined): GroupStanding | undefined {
    const { groups } = this.#jobs;
    const delayed = groups.delayedJobs(MOST_DELAYED_COUNTED);
    return groups.standings([id], delayed, defaults, this.#clock.now())[0];
  }

  saveGroup(id: string, settings: GroupSettings): void {
    this.#jobs.groups.saveSettings(id, settings);
    this.#wakeUp.notify();
  }

  /** @returns false when the group had no settings. */
  removeGroup(id: string): boolean {
    const isRemoved = this.#jobs.groups.removeSettings(id);
    this.#wakeUp.notify();
    return isRemoved;
  }

  pauseGroup(id: string, isPaused: boolean): void {
    this.#jobs.groups.setPaused(id, isPaused);
    this.#wakeUp.notify();
  }

  holdGroup(id: string, duration: number): number {
    const now = this.#clock.now();
    this.#jobs.groups.checkHolds(id, now);
    return this.#jobs.groups.hold(id, duration, now);
  }

  endHoldOfGroup(id: string): void {
    this.#jobs.groups.endHold(id);
    this.#wakeUp.notify();
  }

  /** @throws DomainError `too-many-schedulers`. */
  saveScheduler(id: string, scheduler: NewScheduler, most: number, calendar: Calendar): void {
    this.#isCreated = true;
    this.#noteQueue();
    this.schedulers.checkRoom(id, most);
    this.schedulers.save(id, scheduler, calendar, this.#clock.now());
    this.#wakeUp.notify();
  }

  pauseScheduler(id: string): boolean {
    return this.schedulers.pause(id, this.#clock.now());
  }

  resumeScheduler(id: string): boolean {
    const isKnown = this.schedulers.resume(id, this.#clock.now());
    this.#wakeUp.notify();
    return isKnown;
  }

  removeScheduler(id: string): boolean {
    return this.schedulers.remove(id, this.#clock.now());
  }

  deduplication(id: string): Deduplication | undefined {
    const now = this.#clock.now();
    const standing = this.#jobs.deduplications.find(id, now);
    if (standing === undefined) return undefined;
    const { jobId, endsAt } = standing;
    return { id, jobId, ttl: endsAt === undefined ? null : endsAt - now };
  }

  endDeduplication(id: string): boolean {
    return this.#jobs.deduplications.end(id, this.#clock.now());
  }

  count(status: JobState): number {
    return this.#jobs.listed.count(status);
  }

  /** The jobs of a state, in the order in which they are removed. */
  inOrderOfRemovalIn(state: JobState): readonly ListedJob[] {
    return this.#jobs.listed.inOrderOfRemovalIn(state);
  }

  /**
   * Removes those of the jobs that still have the status, except the next jobs of schedulers, and the parents in this
   * queue that have no child left to wait for. @returns how many were removed.
   */
  drain(jobs: readonly ListedJob[], status: UnstartedStatus): number {
    const parents = this.#jobs.listed.count('waiting-children');
    const isNext = (job: ListedJob): boolean => this.schedulers.isNext(job);
    const removed = this.#jobs.drain(jobs, status, this.#clock.now(), isNext);
    return removed + parents - this.#jobs.listed.count('waiting-children');
  }

  async find(jobId: string): Promise<Job | undefined> {
    const job = await this.reading.one(jobId);
    return job && this.#toJob(job);
  }

  /** Up to `length` jobs of a status in the order of listings, after a position if there is one. */
  behind(
    status: JobState,
    position: ListPosition | undefined,
    length: number,
  ): readonly ListedJob[] {
    return this.#jobs.listed.behind(status, position, length);
  }

  /** Up to `length` jobs of a status from the end of such a listing. */
  endOf(status: JobState, length: number): readonly ListedJob[] {
    return this.#jobs.listed.endOf(status, length);
  }

  addOfFlow(job: StoredJob): void {
    this.#jobs.addOfFlow(job, this.#clock.now());
    this.#isCreated = true;
    this.#noteQueue();
    this.#wakeUp.notify();
  }

  /** All jobs, in the order in which they are removed with the queue. */
  get inOrderOfRemoval(): readonly ListedJob[] {
    return this.#jobs.listed.inOrderOfRemoval;
  }

  findListed(jobId: string): ListedJob | undefined {
    return this.#jobs.find(jobId);
  }

  /** The job, if all of it is in memory. One that has not ended always is. */
  findStored(jobId: string): StoredJob | undefined {
    return this.#jobs.findStored(jobId);
  }

  /** Keeps of a job that ended what others need of it: its records are on a disk. */
  shrink(jobId: string): void {
    this.#jobs.shrink(jobId);
  }

  /** Takes a step for which all of a job has to be in memory, once it is; at once for most jobs. */
  async withStored<Result>(jobId: string, step: () => Result): Promise<Result> {
    for (;;) {
      const job = this.#jobs.find(jobId);
      if (job === undefined || isStored(job)) return step();
      const [read] = await this.#details.read(this.#name, [jobId], LARGEST_PIECE);
      const logs = await this.reading.logs(jobId);
      const stored = withChildren(job, read);
      if (this.#jobs.find(jobId) !== job) continue;
      if (stored === undefined) throw new Error('A job that ended has no record');
      this.#jobs.complete(job, { ...stored, logs: [...(logs ?? [])] });
      const result = step();
      // A step that refused has left it as its records have it.
      this.#jobs.shrink(jobId);
      return result;
    }
  }

  remove(jobId: string, within?: readonly JobState[]): ActionOutcome {
    return this.#wakingOthers(this.#control.remove(jobId, this.#clock.now(), within));
  }

  promote(jobId: string): ActionOutcome {
    return this.#wakingOthers(this.#control.promote(jobId));
  }

  retry(jobId: string, retry: JobRetry, within?: readonly JobState[]): ActionOutcome {
    return this.#wakingOthers(this.#control.retry(jobId, retry, within));
  }

  cancel(
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): ActionOutcome {
    const now = this.#clock.now();
    this.#noteQueue();
    const outcome = this.#control.cancel(jobId, cancellation, now, within);
    if (outcome.kind === 'done') this.#noteDrained();
    return this.#wakingOthers(outcome);
  }

  change(jobId: string, change: JobChange): ActionOutcome {
    return this.#wakingOthers(this.#control.change(jobId, change, this.#clock.now()));
  }

  reportProgress(attempt: AttemptKey, progress: Json): boolean {
    const job = this.#attempts.held(attempt);
    if (job === undefined) return false;
    job.progress = JSON.stringify(progress);
    this.#jobs.changed(job);
    this.events.record('progress', job.id, job.progress);
    return true;
  }

  addLog(attempt: AttemptKey, line: string): boolean {
    const job = this.#attempts.held(attempt);
    if (job === undefined) return false;
    job.logs.push(line);
    const { keepLogs = KEPT_LOG_LINES } = JSON.parse(job.opts) as JobOptions;
    if (job.logs.length > keepLogs) job.logs.shift();
    this.#jobs.logsChanged(job);
    this.events.record('log', job.id, line);
    return true;
  }

  async logs(jobId: string, start: number, length: number): Promise<JobLogs | undefined> {
    const lines = await this.reading.logs(jobId);
    if (lines === undefined) return undefined;
    const wanted = lines.slice(start, start + length);
    return { count: lines.length, logs: inPieces(wanted, lengthOf, (piece) => piece) };
  }

  claim(request: ClaimRequest): Claim {
    const { breaker } = this.#attempts;
    const claim = this.#attempts.claim(request, this.#clock.now());
    if (claim.kind !== 'attempt') {
      // A claim may find that the breaker lets a probe through.
      if (this.#attempts.breaker !== breaker) this.#noteQueue();
      return claim;
    }
    this.#noteQueue();
    if (request.isPulled === true) this.#isPulled = true;
    const job = this.#jobs.findStored(claim.attempt.jobId);
    if (job?.schedulerId !== undefined) this.schedulers.started(job, this.#clock.now());
    return claim;
  }

  /** Whether clients have pulled jobs from it, some of which may still be active. */
  get isPulled(): boolean {
    return this.#isPulled;
  }

  settle(attempt: AttemptKey, ending: AttemptEnding, next?: ClaimRequest): Settled {
    this.#noteQueue();
    const { nextId } = this.#jobs;
    const ended = this.#attempts.settle(attempt, ending, this.#clock.now());
    const settled = next === undefined ? ended : { ...ended, next: this.claim(next) };
    const comesBack = ending.kind === 'retry' || ending.kind === 'deferred';
    const hasDelayed = next !== undefined && this.#jobs.listed.count('delayed') > 0;
    if (ended.held && !comesBack && !hasDelayed) this.#noteDrained();
    if (ended.held && !comesBack) this.#jobs.groups.forgetTurns();
    // When the claim in the same step took the next job, no other job waits newly unless this one comes back or adds
    // one.
    const hasNewWork = comesBack || this.#jobs.nextId !== nextId || this.#jobs.groups.isGrouped;
    if (next === undefined || hasNewWork) this.#wakeUp.notify();
    return settled;
  }

  /** Fails up to `most` jobs that did not start in time. @returns them. */
  expire(most: number): readonly FailedJob[] {
    this.#noteQueue();
    return this.#attempts.expire(this.#clock.now(), most);
  }

  release(attempt: AttemptKey, isUncounted: boolean): void {
    this.#noteQueue();
    if (isUncounted) this.#attempts.countNoStart(attempt);
    this.#attempts.release(attempt, 0, this.#clock.now());
    this.#wakeUp.notify();
  }

  reportEnding(attempt: AttemptKey, ending: AttemptEnding): ReportOutcome {
    const now = this.#clock.now();
    const report = reportOf(ending);
    if (!this.settle(attempt, ending).held) {
      return lateReportOutcome(report, this.#reports.find(attempt, now));
    }
    this.#reports.add(attempt, report, now);
    return 'recorded';
  }

  reportRelease(attempt: AttemptKey, delay: number): ReportOutcome {
    const now = this.#clock.now();
    if (!this.#attempts.release(attempt, delay, now)) {
      return lateReportOutcome('released', this.#reports.find(attempt, now));
    }
    this.#reports.add(attempt, 'released', now);
    this.#wakeUp.notify();
    return 'recorded';
  }

  holds(attempt: AttemptKey): boolean {
    return this.#attempts.held(attempt) !== undefined;
  }

  wasReported(attempt: AttemptKey): boolean {
    return this.#reports.find(attempt, this.#clock.now()) !== undefined;
  }

  extend(attempt: AttemptKey, duration: number): boolean {
    return this.#attempts.extend(attempt, duration, this.#clock.now());
  }

  accept(attempt: AttemptKey, duration: number): boolean {
    return this.#attempts.accept(attempt, duration, this.#clock.now());
  }

  endCall(attempt: AttemptKey): void {
    this.#noteQueue();
    this.#attempts.endCall(attempt);
    this.#wakeUp.notify();
  }

  overdue(): readonly OverdueAttempt[] {
    const overdue = this.#attempts.overdue(this.#clock.now(), this.#stalledGrace);
    return overdue.map(([attempt, bound]) => ({ queue: this.#name, attempt, bound }));
  }

  renew<Held extends AttemptKey>(attempts: readonly Held[], duration: number): readonly Held[] {
    const now = this.#clock.now();
    return attempts.filter((attempt) => !this.#attempts.renew(attempt, duration, now));
  }

  recoverStalled(maxStalledCount: number): StalledCheck {
    this.#noteQueue();
    if (this.#jobs.listed.count('active') === 0) this.#isPulled = false;
    const check = this.#stalledJobs.recover(maxStalledCount, this.#clock.now());
    if (this.#jobs.listed.count('waiting') + this.#jobs.listed.count('prioritized') > 0)
      this.#wakeUp.notify();
    return check;
  }

  #noteQueue(): void {
    this.#changes.note('queue', '');
  }

  wakeAll(): void {
    this.#wakeUp.notify();
  }

  /** Resolves after each step that may let a claim succeed, and once for each due time of a delayed job. */
  waitForJobs(until: number, signal: AbortSignal): Promise<void> {
    return this.#wakeUp.wait(until, this.#jobs.listed.nextDueAt(), signal);
  }

  /** Delayed jobs do not count: they fall due later. */
  #noteDrained(): void {
    const statuses = ['waiting', 'prioritized', 'active'] as const;
    if (statuses.every((status) => this.#jobs.listed.count(status) === 0))
      this.events.record('drained');
  }

  #wakingOthers(outcome: ActionOutcome): ActionOutcome {
    if (outcome.kind === 'done') this.#wakeUp.notify();
    return outcome;
  }

  async *#read(ids: readonly string[]): AsyncGenerator<readonly Job[]> {
    for await (const piece of this.reading.pieces(ids)) {
      yield piece.map((job) => this.#toJob(job));
    }
  }

  #toJob(stored: StoredJob): Job {
    return toJob(stored, this.#name);
  }
}

function charactersOf(jobs: readonly StoredJob[]): number {
  return jobs.reduce((sum, job) => sum + sizeOf(job), 0);
}

function lengthOf({ length }: string): number {
  return length;
}
