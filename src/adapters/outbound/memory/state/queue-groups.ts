import { groupBlockedBy } from '../../../../domain/attempts/turns.ts';
import { tooManyGroups } from '../../../../domain/errors.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import {
  MOST_CHANGED_GROUPS,
  groupTerms,
  settingsInForce,
  type GroupDefaults,
  type GroupSettings,
  type GroupTerms,
} from '../../../../domain/groups/group-settings.ts';
import { isShown, type BlockedGroup, type GroupStanding } from '../../../../domain/groups/group.ts';
import { DEFAULT_COST, type JobGroup } from '../../../../domain/groups/job-group.ts';
import { limiterWindow } from '../../../../domain/queues/limiter.ts';
import { CallWindow, pieceRecordId } from './call-window.ts';
import { GroupJobs } from './group-jobs.ts';
import { GroupOrder, type Place } from './group-order.ts';
import { GroupStarts } from './group-starts.ts';
import { GroupTurns, type SharedTurns, type TurnOfGroup } from './group-turns.ts';
import type { KnownGroup } from './known-group.ts';
import type { ListedJob } from './listed-job.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import type { ListPosition } from './job-list.ts';
import { startableAt, type StoredJob } from './stored-job.ts';

/** What decides whether the group of a job about to be added has room for it. `delay` is in ms. */
interface AddedJob {
  readonly group?: JobGroup | undefined;
  readonly delay: number;
}

/** What the groups of a queue need to know of its jobs. */
export interface JobsOfGroups {
  /** The jobs that run. */
  active(): readonly StoredJob[];
  latestActive(): StoredJob | undefined;
  /** The delayed jobs that are due first. */
  delayed(most: number): readonly StoredJob[];
  /** The first waiting job without a group, and how many of them wait. */
  firstUngrouped(): StoredJob | undefined;
  ungrouped(): number;
  /** Whether a job without a group may start now: one waits, or fell due. */
  hasUngrouped(now: number): boolean;
}

/** One group, as far as it cannot be told from its jobs. Jobs are named by their ids. */
export interface GroupRecord extends TurnOfGroup {
  readonly virtualTime: number;
  /** Its limiter: how many starts do not count any more, and by when the last one stops counting. */
  readonly window?: { readonly place: Place; readonly outdated: number };
  readonly hold?: Place | undefined;
  readonly settings?: GroupSettings | undefined;
  readonly isPaused?: true;
  readonly failedJob?: string | undefined;
  readonly retriedJob?: string | undefined;
}

/** The call of a cancelled job, which counts as one of its group until it is over, or until then (epoch ms). */
interface EndingCall {
  readonly group: string;
  readonly until: number;
}

/** What all groups of a queue share. */
export interface SharedGroups extends SharedTurns {
  readonly isGrouped: boolean;
  /** The last number that a place in a group has. */
  readonly places: number;
  readonly defaults?: GroupDefaults | undefined;
  /** The calls of cancelled jobs that may still run, by their tokens. */
  readonly endingCalls: readonly (readonly [token: string, call: EndingCall])[];
}

/** How many jobs each group has, by its id. */
export type GroupCounts = ReadonlyMap<string, number>;

const NO_COUNTS: GroupCounts = new Map();

/**
 * The groups of one queue (docs/groups.md). A group is kept while it has waiting jobs or a part in the turns, or while
 * something holds for it.
 */
export class QueueGroups {
  readonly #jobs: JobsOfGroups;
  readonly #groups = new Map<string, KnownGroup>();
  readonly #changes: ChangesOfQueue;
  readonly #note = ({ id }: KnownGroup): void => {
    this.#changes.note('group', id);
  };
  readonly #turns = new GroupTurns((group) => {
    this.#forgetIfSpent(group);
  }, this.#note);
  /** Those whose limiters count starts, by when the last start stops counting. */
  readonly #windows = new GroupOrder(this.#note);
  /** Those that are held, by when their holds end. */
  readonly #withSettings = new Set<string>();
  readonly #paused = new Set<string>();
  readonly #holds = new GroupOrder(this.#note);
  /** The calls of cancelled jobs that may still run, by their tokens. */
  readonly #endingCalls = new Map<string, EndingCall>();
  /** How many jobs of each group started lately. */
  readonly starts = new GroupStarts((id) => {
    this.#changes.note('share', id);
  });
  /** How many jobs of groups wait. */
  #waiting = 0;
  #places = 0;
  #isGrouped = false;
  #defaults: GroupDefaults | undefined;
  /** The group whose job was taken last. */
  #taken: KnownGroup | undefined;

  constructor(jobs: JobsOfGroups, changes: ChangesOfQueue) {
    this.#jobs = jobs;
    this.#changes = changes;
  }

  readonly #nextPlace = (): number => {
    this.#places += 1;
    return this.#places;
  };

  /** How many jobs of groups wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many entries the groups take, not counting those of shares: none once nothing of any group is left. */
  get entries(): number {
    const { size } = this.#turns;
    return (
      this.#groups.size + this.#endingCalls.size + size + this.#windows.size + this.#holds.size
    );
  }

  /** Whether the queue ever had a job with a group. */
  get isGrouped(): boolean {
    return this.#isGrouped;
  }

  /**
   * The first job that its group has no room for, and how many jobs of the group come before it.
   *
   * @param added the jobs by position; undefined in place of one that is not added to this queue.
   */
  firstWithoutRoom(
    added: readonly (AddedJob | undefined)[],
    maxWaiting: number | undefined,
    now: number,
  ): { readonly position: number; readonly id: string; readonly waiting: number } | undefined {
    const toWait = new Map<string, number>();
    for (const [position, job] of added.entries()) {
      const id = job?.group?.id;
      if (job === undefined || id === undefined || job.delay > 0) continue;
      const known = this.#groups.get(id);
      const most = groupTerms(
        maxWaiting === undefined ? undefined : { maxWaiting },
        known?.settings,
        now,
      );
      const waiting = toWait.get(id) ?? known?.jobs.size ?? 0;
      if (waiting + 1 > (most.maxWaiting ?? Infinity)) return { position, id, waiting };
      toWait.set(id, waiting + 1);
    }
    return undefined;
  }

  /**
   * Called before the first job with a group is added. Jobs without a group that were there before have the first turn.
   */
  begin(): void {
    if (this.#isGrouped) return;
    this.#isGrouped = true;
    if (this.#jobs.ungrouped() > 0) this.#beReady(this.#known(NO_GROUP));
  }

  /** Puts a job among the waiting ones of its group, behind those of its priority or ahead of them. */
  put(job: StoredJob, priority: number, end: 'head' | 'tail'): void {
    this.#enter(job).jobs.put(job, priority, end);
  }

  /** Puts a job that fell due among the waiting ones of its group. */
  putDue(job: StoredJob, dueAt: number): void {
    const group = this.#enter(job);
    if (job.priority > 0) group.jobs.put(job, job.priority, 'tail');
    else group.jobs.putDue(job, dueAt);
  }

  /** Puts a job back where it was taken or, where jobs are ordered, ahead of all others of its group. */
  putBack(job: StoredJob): void {
    const { jobs } = this.#enter(job, true);
    if (this.#isOrdered) jobs.putFirst(job);
    else jobs.putBack(job);
  }

  /** Called when a job leaves its place. A job that ran, failed or waited for another attempt may free its group. */
  left(job: ListedJob): void {
    const group = job.group && this.#groups.get(job.group.id);
    if (group === undefined) return;
    if (job.status === 'waiting') {
      group.jobs.remove(job);
      this.#waiting -= 1;
      if (group.jobs.size > 0 || group === this.#taken) return;
      this.#turns.rest(group);
      this.forgetTurns();
      return;
    }
    if (job.status === undefined) return;
    if (group.failedJob === job || group.retriedJob === job) this.#note(group);
    if (group.failedJob === job) group.failedJob = undefined;
    if (group.retriedJob === job) group.retriedJob = undefined;
    this.#turns.unpark(group);
    this.#forgetIfSpent(group);
  }

  /** Called when a job failed for good: it blocks its group where the order of groups says so. */
  failed(job: StoredJob): void {
    if (this.#defaults?.ordered === 'block' && job.group !== undefined) {
      const group = this.#known(job.group.id);
      group.failedJob = job;
      this.#note(group);
    }
  }

  /** Called when another object stands for a job that ended. */
  replaced(before: ListedJob, job: ListedJob): void {
    const group = job.group && this.#groups.get(job.group.id);
    if (group?.failedJob === before) group.failedJob = job;
  }

  /** Called when a job continues after a delay: it holds its group where jobs are ordered. */
  delayed(job: StoredJob): void {
    if (!this.#isOrdered || job.group === undefined) return;
    const group = this.#known(job.group.id);
    group.retriedJob = job;
    this.#note(group);
  }

  isBlocking(job: StoredJob): boolean {
    const group = job.group && this.#groups.get(job.group.id);
    return group !== undefined && (group.failedJob === job || group.retriedJob === job);
  }

  /** Notes that the call of a cancelled job still runs, until then (epoch ms) at the latest. */
  callEnds(token: string, { group }: StoredJob, until: number): void {
    if (group !== undefined) this.#endingCalls.set(token, { group: group.id, until });
  }

  /** Notes that the call of a cancelled job is over. */
  callEnded(token: string): void {
    const call = this.#endingCalls.get(token);
    this.#endingCalls.delete(token);
    const group = call && this.#groups.get(call.group);
    if (group !== undefined) this.#turns.unpark(group);
  }

  /** The job whose turn it is; NO_GROUP when it is that of a job without a group, undefined when none may start. */
  next(defaults: GroupDefaults | undefined, now: number): StoredJob | typeof NO_GROUP | undefined {
    this.#taken = undefined;
    this.#useDefaults(defaults);
    this.#turns.unparkDue(now);
    this.#forgetCalls(now);
    this.#forgetWindows(now);
    this.#forgetHolds(now);
    if (this.#jobs.hasUngrouped(now)) this.#beReady(this.#known(NO_GROUP));
    for (let group = this.#turns.first(); group !== undefined; group = this.#turns.first()) {
      const job = this.#firstJob(group, now);
      const blocked = job === undefined ? undefined : this.#blocked(group, now);
      if (job === undefined) this.#turns.rest(group);
      else if (blocked === undefined) {
        this.#taken = group;
        return job;
      } else this.#park(group, blocked, now);
    }
    this.forgetTurns();
    return undefined;
  }

  /** The next job of one group, out of turn: it joins a call that took a job of the group in its turn. */
  nextOf(id: string, now: number): StoredJob | typeof NO_GROUP | undefined {
    const group = this.#groups.get(id);
    if (group === undefined || !this.#turns.isReady(group)) return undefined;
    const job = this.#firstJob(group, now);
    if (job === undefined || this.#blocked(group, now) !== undefined) return undefined;
    this.#taken = group;
    return job;
  }

  /** Leaves the job that `next` found: it does not start. */
  takeNone(): void {
    this.#taken = undefined;
  }

  /** Called when the job that was taken last starts. */
  started(job: StoredJob, now: number): void {
    const group = this.#taken;
    this.#taken = undefined;
    if (group === undefined || !this.#turns.isReady(group)) return;
    const { weight, limiter } = this.#terms(group, now);
    this.starts.count(group.id, now);
    if (limiter !== undefined) {
      group.window ??= this.#newWindow(group.id);
      group.window.countCall(limiter, now);
      this.#windows.set(group, now + limiterWindow(limiter));
    }
    this.#turns.start(group, {
      cost: job.group?.cost ?? DEFAULT_COST,
      weight,
      hasMore: group.id === NO_GROUP || group.jobs.size > 0,
    });
  }

  /** Takes the latest start of the group off its limiter. */
  countNoStart({ group }: StoredJob): void {
    const known = group && this.#groups.get(group.id);
    if (known?.window === undefined) return;
    known.window.countNoCall();
    this.#note(known);
  }

  /** Lets all groups begin anew if no job waits and none runs. */
  forgetTurns(): void {
    const isBusy =
      this.#waiting > 0 ||
      this.#jobs.ungrouped() > 0 ||
      this.#jobs.latestActive() !== undefined ||
      this.#endingCalls.size > 0;
    if (isBusy || !this.#turns.hasBegun) return;
    this.#turns.reset();
    for (const group of this.#groups.values()) this.#forgetIfSpent(group);
  }

  /** When (epoch ms) the next group may start a job again, as far as is known. */
  nextAt(): number | undefined {
    return this.#turns.nextAt();
  }

  /** Whether groups have waiting jobs and none of them may start one. */
  areBlocked(now: number): boolean {
    if (!this.#isGrouped || this.#jobs.ungrouped() > 0) return false;
    const waiting = [...this.#groups.values()].filter(({ jobs }) => jobs.size > 0);
    return waiting.length > 0 && waiting.every((group) => this.#blocked(group, now) !== undefined);
  }

  /** @throws DomainError `too-many-groups`. */
  saveSettings(id: string, settings: GroupSettings): void {
    checkRoom(id, this.#withSettings);
    this.#withSettings.add(id);
    this.#changed(id, (group) => {
      group.settings = settings;
    });
  }

  removeSettings(id: string): boolean {
    if (this.#groups.get(id)?.settings === undefined) return false;
    this.#withSettings.delete(id);
    this.#changed(id, (group) => {
      group.settings = undefined;
    });
    return true;
  }

  /** @throws DomainError `too-many-groups`. */
  setPaused(id: string, isPaused: boolean): void {
    if (isPaused) {
      checkRoom(id, this.#paused);
      this.#paused.add(id);
    } else {
      this.#paused.delete(id);
    }
    this.#changed(id, (group) => {
      group.isPaused = isPaused;
    });
  }

  /** @throws DomainError `too-many-groups` when others leave no room for a hold of the group by hand. */
  checkHolds(id: string, now: number): void {
    this.#forgetHolds(now);
    const group = this.#groups.get(id);
    if (this.#holds.size < MOST_CHANGED_GROUPS || (group && this.#holds.has(group))) return;
    throw tooManyGroups(MOST_CHANGED_GROUPS);
  }

  /** Of several holds, the one that ends last counts. @returns when (epoch ms) it ends. */
  hold(id: string, duration: number, now: number): number {
    this.#forgetHolds(now);
    const group = this.#known(id);
    const until = Math.max(this.#holds.timeOf(group) ?? 0, now + duration);
    this.#holds.set(group, until);
    return until;
  }

  endHold(id: string): void {
    this.#changed(id, (group) => {
      this.#holds.delete(group);
    });
  }

  /** How many of the delayed jobs that are due first each group has. @param most how many of them count. */
  delayedJobs(most: number): GroupCounts {
    return this.#isGrouped ? counted(this.#jobs.delayed(most)) : NO_COUNTS;
  }

  /** The ids of the groups that `standings` may show, in no order. @param delayed as `delayedJobs` has it. */
  ids(delayed: GroupCounts): readonly string[] {
    const others = new Set([...this.#activeJobs().keys(), ...delayed.keys()]);
    if (this.#isGrouped && this.#jobs.ungrouped() > 0) others.add(NO_GROUP);
    return [...this.#groups.keys(), ...[...others].filter((id) => !this.#groups.has(id))];
  }

  /**
   * Those of the groups that have jobs that have not ended, or settings, or are paused or held.
   *
   * @param delayed as `delayedJobs` has it.
   */
  standings(
    ids: readonly string[],
    delayed: GroupCounts,
    defaults: GroupDefaults | undefined,
    now: number,
  ): readonly GroupStanding[] {
    const active = this.#activeJobs();
    return ids.map((id) => this.#standing(id, { active, delayed }, defaults, now)).filter(isShown);
  }

  #standing(
    id: string,
    { active, delayed }: { readonly active: GroupCounts; readonly delayed: GroupCounts },
    defaults: GroupDefaults | undefined,
    now: number,
  ): GroupStanding {
    const group = this.#groups.get(id);
    const waiting = id === NO_GROUP ? this.#jobs.ungrouped() : (group?.jobs.size ?? 0);
    const first = id === NO_GROUP ? this.#jobs.firstUngrouped() : group?.jobs.first();
    const settings = settingsInForce(group?.settings, now);
    const isBlockable = group !== undefined && waiting > 0;
    const blocked = isBlockable
      ? this.#blocked(group, now, {
          terms: groupTerms(defaults, settings, now),
          running: (active.get(id) ?? 0) + this.#endingCallsOf(id, now).length,
        })
      : undefined;
    const heldUntil = (group && this.#holds.timeOf(group)) ?? 0;
    return {
      id,
      waiting,
      active: active.get(id) ?? 0,
      delayed: delayed.get(id) ?? 0,
      waitingSince: first === undefined ? null : startableAt(first),
      share: this.starts.share(id, now),
      paused: group?.isPaused ?? false,
      heldUntil: heldUntil > now ? heldUntil : null,
      blocked: blocked ?? null,
      settings: settings ?? null,
    };
  }

  /** The record of a group; undefined when it is not kept. */
  record(id: string): GroupRecord | undefined {
    const group = this.#groups.get(id);
    if (group === undefined) return undefined;
    const { virtualTime, window, settings, isPaused, failedJob, retriedJob } = group;
    const place = this.#windows.placeOf(group);
    return {
      virtualTime,
      ...this.#turns.turnOf(group),
      ...(window && place && { window: { place, outdated: window.dropped } }),
      hold: this.#holds.placeOf(group),
      settings,
      ...(isPaused && { isPaused }),
      failedJob: failedJob?.id,
      retriedJob: retriedJob?.id,
    };
  }

  get shared(): SharedGroups {
    const { shared } = this.#turns;
    return {
      ...shared,
      isGrouped: this.#isGrouped,
      places: this.#places,
      defaults: this.#defaults,
      endingCalls: [...this.#endingCalls],
    };
  }

  restoreShared(shared: SharedGroups): void {
    this.#turns.restoreShared(shared);
    this.#isGrouped = shared.isGrouped;
    this.#places = shared.places;
    this.#defaults = shared.defaults;
    for (const [token, call] of shared.endingCalls) this.#endingCalls.set(token, call);
  }

  /** @param find returns the job with an id: all jobs are there. */
  restore(id: string, record: GroupRecord, find: (jobId: string) => ListedJob | undefined): void {
    const group = this.#known(id);
    const { virtualTime, window, hold, settings, isPaused = false } = record;
    group.virtualTime = virtualTime;
    this.#turns.restore(group, record);
    if (window !== undefined) {
      group.window = this.#newWindow(id, window.outdated);
      this.#windows.restore(group, window.place);
    }
    if (hold !== undefined) this.#holds.restore(group, hold);
    group.settings = settings;
    if (settings !== undefined) this.#withSettings.add(id);
    group.isPaused = isPaused;
    if (isPaused) this.#paused.add(id);
    group.failedJob = find(record.failedJob ?? '');
    group.retriedJob = find(record.retriedJob ?? '');
  }

  /** The starts that the limiter of a group counts. */
  windowOf(id: string): CallWindow | undefined {
    return this.#groups.get(id)?.window;
  }

  /** A job waits where it did when its record was written. */
  restoreWaiting(job: StoredJob, position: ListPosition): void {
    this.#known(job.group?.id ?? NO_GROUP).jobs.restore(job, position);
    this.#waiting += 1;
  }

  /** The ids of all groups that have a record. */
  get recorded(): IterableIterator<string> {
    return this.#groups.keys();
  }

  #newWindow(id: string, dropped = 0): CallWindow {
    return new CallWindow((piece) => {
      this.#changes.note('limiter', pieceRecordId(id, piece));
    }, dropped);
  }

  #activeJobs(): GroupCounts {
    return this.#isGrouped ? counted(this.#jobs.active()) : NO_COUNTS;
  }

  /** @param hasRun whether the job was running until now: then the queue was busy, and no turns are forgotten. */
  #enter({ group }: StoredJob, hasRun = false): KnownGroup {
    const known = this.#known(group?.id ?? NO_GROUP);
    if (hasRun) this.#turns.takePart(known);
    else this.#beReady(known);
    this.#waiting += 1;
    return known;
  }

  /**
   * Called when a job without a group waits: jobs without a group take a turn behind the groups that are ready.
   *
   * @param hasRun as in `#enter`.
   */
  ungroupedWaits(hasRun = false): void {
    if (!this.#isGrouped) return;
    if (hasRun) this.#turns.takePart(this.#known(NO_GROUP));
    else this.#beReady(this.#known(NO_GROUP));
  }

  #changed(id: string, change: (group: KnownGroup) => void): void {
    const group = this.#known(id);
    change(group);
    this.#note(group);
    this.#turns.unpark(group);
    this.#forgetIfSpent(group);
  }

  #known(id: string): KnownGroup {
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const group: KnownGroup = {
      id,
      jobs: new GroupJobs(this.#nextPlace),
      virtualTime: 0,
      isPaused: false,
    };
    this.#groups.set(id, group);
    return group;
  }

  get #isOrdered(): boolean {
    const { ordered = false } = this.#defaults ?? {};
    return ordered !== false;
  }

  /** Other defaults may free any group. */
  #useDefaults(defaults: GroupDefaults | undefined): void {
    const isSame = JSON.stringify(defaults) === JSON.stringify(this.#defaults);
    this.#defaults = defaults;
    if (!isSame) this.#turns.unparkAll();
  }

  #beReady(group: KnownGroup): void {
    this.forgetTurns();
    // `forgetTurns` may have forgotten this group too.
    this.#groups.set(group.id, group);
    this.#turns.takePart(group);
  }

  /** The first waiting job of a group; NO_GROUP for one without a group. */
  #firstJob(group: KnownGroup, now: number): StoredJob | typeof NO_GROUP | undefined {
    if (group.id !== NO_GROUP) return group.jobs.first();
    return this.#jobs.hasUngrouped(now) ? NO_GROUP : undefined;
  }

  /** The group waits until it may go on by itself, unless the end of its settings or of a call frees it earlier. */
  #park(group: KnownGroup, { reason, until = Infinity }: BlockedGroup, now: number): void {
    const { expires = Infinity } = group.settings ?? {};
    const calls = reason === 'concurrency' ? this.#endingCallsOf(group.id, now) : [];
    const ends = [until, expires > now ? expires : Infinity, ...calls.map((call) => call.until)];
    this.#turns.park(group, Math.min(...ends));
  }

  /** Forgets a group that would begin at the virtual time of the queue anyway. */
  #forgetIfSpent(group: KnownGroup): void {
    const isKept =
      this.#turns.has(group) ||
      this.#windows.has(group) ||
      this.#holds.has(group) ||
      group.jobs.size > 0 ||
      group.settings !== undefined ||
      group.isPaused ||
      group.failedJob !== undefined ||
      group.retriedJob !== undefined;
    if (isKept) return;
    this.#groups.delete(group.id);
    this.#note(group);
  }

  #forgetCalls(now: number): void {
    for (const [token, { until }] of this.#endingCalls) {
      if (until <= now) this.#endingCalls.delete(token);
    }
  }

  #forgetHolds(now: number): void {
    for (const group of this.#holds.takeUntil(now)) this.#forgetIfSpent(group);
  }

  #forgetWindows(now: number): void {
    for (const group of this.#windows.takeUntil(now)) {
      group.window?.noteAll();
      group.window = undefined;
      this.#forgetIfSpent(group);
    }
  }

  #terms({ id, settings }: KnownGroup, now: number): GroupTerms {
    return id === NO_GROUP
      ? groupTerms(undefined, undefined, now)
      : groupTerms(this.#defaults, settings, now);
  }

  /** Why no job of the group may start. Nothing holds back jobs without a group. */
  #blocked(
    group: KnownGroup,
    now: number,
    { terms = this.#terms(group, now), running = this.#running(group.id, now) } = {},
  ): BlockedGroup | undefined {
    if (group.id === NO_GROUP) return undefined;
    const { failedJob, retriedJob, window } = group;
    const { limiter } = terms;
    return groupBlockedBy(
      {
        isPaused: group.isPaused,
        heldUntil: this.#holds.timeOf(group),
        failedJob: failedJob?.id,
        retried: retriedJob && { job: retriedJob.id, dueAt: retriedJob.position?.rank ?? now },
        running,
        earliestStart: limiter && window?.earliest(limiter),
      },
      terms,
      now,
    );
  }

  /** Counted from the running jobs each time, never kept alongside them. */
  #running(id: string, now: number): number {
    const active = this.#jobs.active().filter(({ group }) => group?.id === id).length;
    return active + this.#endingCallsOf(id, now).length;
  }

  #endingCallsOf(id: string, now: number): readonly EndingCall[] {
    return [...this.#endingCalls.values()].filter(
      ({ group, until }) => group === id && until > now,
    );
  }
}

function counted(jobs: readonly StoredJob[]): GroupCounts {
  const counts = new Map<string, number>();
  for (const { group } of jobs) {
    const id = group?.id ?? NO_GROUP;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** @throws DomainError `too-many-groups` when others leave no room for the group. */
function checkRoom(id: string, changed: ReadonlySet<string>): void {
  if (changed.size >= MOST_CHANGED_GROUPS && !changed.has(id)) {
    throw tooManyGroups(MOST_CHANGED_GROUPS);
  }
}
