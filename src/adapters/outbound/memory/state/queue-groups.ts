import {
  groupBlockedBy,
  MOST_IDLE,
  virtualStart,
  virtualTimeAfter,
} from '../../../../domain/attempts/turns.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import {
  groupTerms,
  settingsInForce,
  type GroupDefaults,
  type GroupSettings,
  type GroupTerms,
} from '../../../../domain/groups/group-settings.ts';
import {
  isShown,
  SHARE_WINDOW,
  type BlockedGroup,
  type GroupStanding,
} from '../../../../domain/groups/group.ts';
import { DEFAULT_COST, type JobGroup } from '../../../../domain/groups/job-group.ts';
import { limiterWindow } from '../../../../domain/queues/limiter.ts';
import { CallWindow } from './call-window.ts';
import { GroupJobs } from './group-jobs.ts';
import { SortedTree } from './sorted-tree.ts';
import { startableAt, type StoredJob } from './stored-job.ts';

const MINUTE = 60_000;

/** A place in an order by time: a virtual one, or epoch ms. */
interface Turn {
  readonly time: number;
  /** How many places were given out before: among equal times, the first one given out comes first. */
  readonly number: number;
}

/** What decides whether the group of a job about to be added has room for it. `delay` is in ms. */
interface AddedJob {
  readonly group?: JobGroup | undefined;
  readonly delay: number;
}

/** What is known of a group, kept while it has waiting jobs, settings, or a virtual time ahead of the queue's. */
interface KnownGroup {
  readonly id: string;
  readonly jobs: GroupJobs;
  /** Present while it is ready. */
  turn?: Turn | undefined;
  /** Its virtual time, while it has no waiting job and that time is ahead of the queue's. */
  idle?: Turn | undefined;
  /** Present while it has waiting jobs but none may start: its virtual time, and until when. */
  parked?: { readonly time: number; readonly until: Turn } | undefined;
  /** The starts that its limiter counts, and when the last of them stops counting. */
  window: CallWindow | undefined;
  windowEnds?: Turn | undefined;
  settings?: GroupSettings | undefined;
  isPaused: boolean;
  /** When its hold ends. */
  held?: Turn | undefined;
  /** The failed job that blocks it, and the job that waits for its next attempt, where jobs are ordered. */
  failedJob?: StoredJob | undefined;
  retriedJob?: StoredJob | undefined;
}

/** What the groups of a queue need to know of its jobs. */
export interface JobsOfGroups {
  /** The jobs that run. */
  active(): readonly StoredJob[];
  latestActive(): StoredJob | undefined;
  /** The delayed jobs. */
  delayed(): readonly StoredJob[];
  /** The first waiting job without a group, and how many of them wait. */
  firstUngrouped(): StoredJob | undefined;
  ungrouped(): number;
  /** Whether a job without a group may start now: one waits, or fell due. */
  hasUngrouped(now: number): boolean;
}

/** The groups of one queue and their turns (docs/groups.md). */
export class QueueGroups {
  readonly #jobs: JobsOfGroups;
  readonly #groups = new Map<string, KnownGroup>();
  readonly #ready = newOrder();
  readonly #idle = newOrder();
  readonly #parked = newOrder();
  /** The groups whose limiters count starts, by when the last start stops counting. */
  readonly #windows = newOrder();
  /** The groups that are held, by when their holds end. */
  readonly #holds = newOrder();
  #datesSet = 0;
  /** The groups of cancelled jobs whose calls still run, by the tokens of the calls. */
  readonly #endingCalls = new Map<string, string>();
  /** How many jobs of each group started, by the minute. */
  readonly #starts = new Map<number, Map<string, number>>();
  /** How many jobs of groups wait. */
  #waiting = 0;
  /** The virtual time of the queue. */
  #time = 0;
  #turns = 0;
  #places = 0;
  #isGrouped = false;
  #defaults: GroupDefaults | undefined;
  /** The group whose job was taken last. */
  #taken: KnownGroup | undefined;

  constructor(jobs: JobsOfGroups) {
    this.#jobs = jobs;
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
    const orders = [this.#ready, this.#idle, this.#parked, this.#windows, this.#holds];
    const ordered = orders.reduce((sum, order) => sum + order.size, 0);
    return this.#groups.size + this.#endingCalls.size + ordered;
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
  left(job: StoredJob): void {
    const group = job.group && this.#groups.get(job.group.id);
    if (group === undefined) return;
    if (job.status === 'waiting') {
      group.jobs.remove(job);
      this.#waiting -= 1;
      if (group.jobs.size === 0 && group !== this.#taken) this.#restEmpty(group);
      return;
    }
    if (job.status === undefined) return;
    if (group.failedJob === job) group.failedJob = undefined;
    if (group.retriedJob === job) group.retriedJob = undefined;
    this.#unpark(group);
    this.#forgetIfSpent(group);
  }

  /** Called when a job failed for good: it blocks its group where the order of groups says so. */
  failed(job: StoredJob): void {
    if (this.#defaults?.ordered === 'block' && job.group !== undefined) {
      this.#known(job.group.id).failedJob = job;
    }
  }

  /** Called when a job continues after a delay: it holds its group where jobs are ordered. */
  delayed(job: StoredJob): void {
    if (this.#isOrdered && job.group !== undefined) this.#known(job.group.id).retriedJob = job;
  }

  isBlocking(job: StoredJob): boolean {
    const group = job.group && this.#groups.get(job.group.id);
    return group !== undefined && (group.failedJob === job || group.retriedJob === job);
  }

  /** Notes that the call of a cancelled job still runs. */
  callEnds(token: string, job: StoredJob): void {
    if (job.group !== undefined) this.#endingCalls.set(token, job.group.id);
  }

  /** Notes that the call of a cancelled job is over. */
  callEnded(token: string): void {
    const id = this.#endingCalls.get(token);
    this.#endingCalls.delete(token);
    const group = id === undefined ? undefined : this.#groups.get(id);
    if (group !== undefined) this.#unpark(group);
  }

  /**
   * The job whose turn it is; NO_GROUP when it is that of a job without a group, undefined when none may start.
   *
   * @param isCounted whether the call of a token still counts.
   */
  next(
    defaults: GroupDefaults | undefined,
    isCounted: (token: string) => boolean,
    now: number,
  ): StoredJob | typeof NO_GROUP | undefined {
    this.#taken = undefined;
    this.#useDefaults(defaults);
    for (const token of this.#endingCalls.keys()) if (!isCounted(token)) this.callEnded(token);
    for (let first = firstOf(this.#parked); first !== undefined; first = firstOf(this.#parked)) {
      if ((first.parked?.until.time ?? Infinity) > now) break;
      this.#unpark(first);
    }
    this.#forgetWindows(now);
    this.#forgetHolds(now);
    if (this.#jobs.hasUngrouped(now)) this.#beReady(this.#known(NO_GROUP));
    for (;;) {
      const turn = this.#ready.minKey();
      const group = turn && this.#ready.get(turn);
      if (turn === undefined || group === undefined) break;
      if (group.id === NO_GROUP) {
        if (this.#jobs.hasUngrouped(now)) {
          this.#taken = group;
          return NO_GROUP;
        }
        this.#rest(group, turn);
        continue;
      }
      const job = group.jobs.first();
      if (job === undefined) {
        this.#rest(group, turn);
        continue;
      }
      const blocked = this.#blocked(group, this.#terms(group, now), now);
      if (blocked === undefined) {
        this.#taken = group;
        return job;
      }
      this.#park(group, turn, blocked.until, now);
    }
    this.forgetTurns();
    return undefined;
  }

  /** The next job of one group, out of turn: it joins a call that took a job of the group in its turn. */
  nextOf(id: string, now: number): StoredJob | typeof NO_GROUP | undefined {
    const group = this.#groups.get(id);
    if (group?.turn === undefined) return undefined;
    const job = id === NO_GROUP ? NO_GROUP : group.jobs.first();
    if (job === undefined || (job === NO_GROUP && !this.#jobs.hasUngrouped(now))) return undefined;
    if (job !== NO_GROUP && this.#blocked(group, this.#terms(group, now), now)) return undefined;
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
    const turn = group?.turn;
    this.#taken = undefined;
    if (group === undefined || turn === undefined) return;
    const { weight, limiter } = this.#terms(group, now);
    this.#ready.delete(turn);
    this.#time = turn.time;
    for (let idle = firstOf(this.#idle); idle?.idle !== undefined; idle = firstOf(this.#idle)) {
      if (idle.idle.time > this.#time) break;
      this.#wake(idle);
      this.#forgetIfSpent(idle);
    }
    this.#countStart(group.id, now);
    if (limiter !== undefined) {
      group.window ??= new CallWindow();
      group.window.countCall(limiter, now);
      this.#keepWindow(group, now + limiterWindow(limiter));
    }
    const time = virtualTimeAfter(turn.time, job.group?.cost ?? DEFAULT_COST, weight);
    if (group.id === NO_GROUP || group.jobs.size > 0) {
      this.#give(group, time);
    } else {
      group.turn = undefined;
      this.#beIdle(group, time);
    }
  }

  /** Takes the latest start of the group off its limiter. */
  countNoStart({ group }: StoredJob): void {
    if (group !== undefined) this.#groups.get(group.id)?.window?.countNoCall();
  }

  /** Lets all groups begin anew if no job waits and none runs. */
  forgetTurns(): void {
    const isBusy =
      this.#waiting > 0 ||
      this.#jobs.ungrouped() > 0 ||
      this.#jobs.latestActive() !== undefined ||
      this.#endingCalls.size > 0;
    if (isBusy || this.#turns === 0) return;
    this.#time = 0;
    this.#turns = 0;
    this.#ready.clear();
    for (const group of this.#groups.values()) {
      this.#wake(group);
      group.turn = undefined;
      this.#forgetIfSpent(group);
    }
  }

  /** When (epoch ms) the next group may start a job again, as far as is known. */
  nextAt(): number | undefined {
    const first = this.#parked.minKey()?.time;
    return first !== undefined && Number.isFinite(first) ? first : undefined;
  }

  /** Whether groups have waiting jobs and none of them may start one. */
  areBlocked(now: number): boolean {
    if (!this.#isGrouped || this.#jobs.ungrouped() > 0) return false;
    const waiting = [...this.#groups.values()].filter(({ jobs }) => jobs.size > 0);
    return (
      waiting.length > 0 &&
      waiting.every((group) => this.#blocked(group, this.#terms(group, now), now) !== undefined)
    );
  }

  saveSettings(id: string, settings: GroupSettings): void {
    this.#changed(id, (group) => {
      group.settings = settings;
    });
  }

  removeSettings(id: string): boolean {
    if (this.#groups.get(id)?.settings === undefined) return false;
    this.#changed(id, (group) => {
      group.settings = undefined;
    });
    return true;
  }

  setPaused(id: string, isPaused: boolean): void {
    this.#changed(id, (group) => {
      group.isPaused = isPaused;
    });
  }

  /** Of several holds, the one that ends last counts. @returns when (epoch ms) it ends. */
  hold(id: string, duration: number, now: number): number {
    this.#forgetHolds(now);
    const group = this.#known(id);
    const until = Math.max(group.held?.time ?? 0, now + duration);
    this.#release(group);
    group.held = this.#date(until);
    this.#holds.set(group.held, group);
    return until;
  }

  endHold(id: string): void {
    this.#changed(id, (group) => {
      this.#release(group);
    });
  }

  /** The groups with jobs that have not ended, or settings, or that are paused or held, in no order. */
  list(defaults: GroupDefaults | undefined, now: number): readonly GroupStanding[] {
    const active = counted(this.#jobs.active(), this.#isGrouped);
    const delayed = counted(this.#jobs.delayed(), this.#isGrouped);
    const ids = new Set([...active.keys(), ...delayed.keys(), ...this.#groups.keys()]);
    if (this.#isGrouped && this.#jobs.ungrouped() > 0) ids.add(NO_GROUP);
    const starts = this.#startsSince(now);
    const total = [...starts.values()].reduce((sum, count) => sum + count, 0);
    const groups = [...ids].map((id): GroupStanding => {
      const group = this.#groups.get(id);
      const waiting = id === NO_GROUP ? this.#jobs.ungrouped() : (group?.jobs.size ?? 0);
      const first = id === NO_GROUP ? this.#jobs.firstUngrouped() : group?.jobs.first();
      const settings = settingsInForce(group?.settings, now);
      const terms = groupTerms(defaults, settings, now);
      const blocked =
        group === undefined || id === NO_GROUP || waiting === 0
          ? undefined
          : this.#blocked(group, terms, now);
      const heldUntil = group?.held?.time ?? 0;
      return {
        id,
        waiting,
        active: active.get(id) ?? 0,
        delayed: delayed.get(id) ?? 0,
        waitingSince: first === undefined ? null : startableAt(first),
        share: total === 0 ? 0 : (starts.get(id) ?? 0) / total,
        paused: group?.isPaused ?? false,
        heldUntil: heldUntil > now ? heldUntil : null,
        blocked: blocked ?? null,
        settings: settings ?? null,
      };
    });
    return groups.filter(isShown);
  }

  /** @param hasRun whether the job was running until now: then the queue was busy, and no turns are forgotten. */
  #enter({ group }: StoredJob, hasRun = false): KnownGroup {
    const known = this.#known(group?.id ?? NO_GROUP);
    if (hasRun) this.#takePart(known);
    else this.#beReady(known);
    this.#waiting += 1;
    return known;
  }

  /** Called when a job without a group waits: jobs without a group take a turn behind the groups that are ready. */
  ungroupedWaits(): void {
    if (this.#isGrouped) this.#beReady(this.#known(NO_GROUP));
  }

  #changed(id: string, change: (group: KnownGroup) => void): void {
    const group = this.#known(id);
    change(group);
    this.#unpark(group);
    this.#forgetIfSpent(group);
  }

  #known(id: string): KnownGroup {
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const group: KnownGroup = {
      id,
      jobs: new GroupJobs(this.#nextPlace),
      window: undefined,
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
    if (isSame) return;
    for (const group of this.#groups.values()) this.#unpark(group);
  }

  #beReady(group: KnownGroup): void {
    this.forgetTurns();
    // `forgetTurns` may have forgotten this group too.
    this.#groups.set(group.id, group);
    this.#takePart(group);
  }

  #takePart(group: KnownGroup): void {
    if (group.turn !== undefined || group.parked !== undefined) return;
    this.#give(group, virtualStart(this.#wake(group), this.#time));
  }

  /** Ends the idleness of a group. @returns its virtual time, if it was remembered. */
  #wake(group: KnownGroup): number | undefined {
    const { idle } = group;
    if (idle === undefined) return undefined;
    this.#idle.delete(idle);
    group.idle = undefined;
    return idle.time;
  }

  #give(group: KnownGroup, time: number): void {
    group.turn = this.#place(time);
    this.#ready.set(group.turn, group);
  }

  #place(time: number): Turn {
    this.#turns += 1;
    return { time, number: this.#turns };
  }

  #rest(group: KnownGroup, turn: Turn): void {
    this.#ready.delete(turn);
    group.turn = undefined;
    this.#beIdle(group, turn.time);
  }

  /** Rests a group whose last waiting job left without starting. */
  #restEmpty(group: KnownGroup): void {
    const { turn, parked } = group;
    if (turn !== undefined) this.#rest(group, turn);
    if (parked !== undefined) {
      this.#parked.delete(parked.until);
      group.parked = undefined;
      this.#beIdle(group, parked.time);
    }
    this.forgetTurns();
  }

  #beIdle(group: KnownGroup, time: number): void {
    if (time > this.#time) {
      group.idle = this.#place(time);
      this.#idle.set(group.idle, group);
      const first = this.#idle.size > MOST_IDLE ? firstOf(this.#idle) : undefined;
      if (first !== undefined) {
        this.#wake(first);
        this.#forgetIfSpent(first);
      }
    }
    this.#forgetIfSpent(group);
  }

  /** @param until when it may go on by itself, unless the end of its settings frees it earlier. */
  #park(group: KnownGroup, turn: Turn, until: number | undefined, now: number): void {
    this.#ready.delete(turn);
    group.turn = undefined;
    const { expires = Infinity } = group.settings ?? {};
    const ends = [until ?? Infinity, expires > now ? expires : Infinity];
    group.parked = { time: turn.time, until: this.#place(Math.min(...ends)) };
    this.#parked.set(group.parked.until, group);
  }

  #unpark(group: KnownGroup): void {
    const { parked } = group;
    if (parked === undefined) return;
    this.#parked.delete(parked.until);
    group.parked = undefined;
    this.#give(group, virtualStart(parked.time, this.#time));
  }

  /** Forgets a group that would begin at the virtual time of the queue anyway. */
  #forgetIfSpent(group: KnownGroup): void {
    const isKept =
      group.turn !== undefined ||
      group.parked !== undefined ||
      group.idle !== undefined ||
      group.jobs.size > 0 ||
      group.settings !== undefined ||
      group.isPaused ||
      group.held !== undefined ||
      group.failedJob !== undefined ||
      group.retriedJob !== undefined ||
      group.window !== undefined;
    if (!isKept) this.#groups.delete(group.id);
  }

  #keepWindow(group: KnownGroup, until: number): void {
    if (group.windowEnds !== undefined) this.#windows.delete(group.windowEnds);
    group.windowEnds = this.#date(until);
    this.#windows.set(group.windowEnds, group);
  }

  #date(time: number): Turn {
    this.#datesSet += 1;
    return { time, number: this.#datesSet };
  }

  #release(group: KnownGroup): void {
    if (group.held !== undefined) this.#holds.delete(group.held);
    group.held = undefined;
  }

  #forgetHolds(now: number): void {
    for (
      let first = firstOf(this.#holds);
      first?.held !== undefined;
      first = firstOf(this.#holds)
    ) {
      if (first.held.time > now) return;
      this.#release(first);
      this.#forgetIfSpent(first);
    }
  }

  #forgetWindows(now: number): void {
    for (let first = firstOf(this.#windows); first !== undefined; first = firstOf(this.#windows)) {
      if (first.windowEnds === undefined || first.windowEnds.time > now) return;
      this.#windows.delete(first.windowEnds);
      first.windowEnds = undefined;
      first.window = undefined;
      this.#forgetIfSpent(first);
    }
  }

  #terms({ id, settings }: KnownGroup, now: number): GroupTerms {
    return id === NO_GROUP
      ? groupTerms(undefined, undefined, now)
      : groupTerms(this.#defaults, settings, now);
  }

  #blocked(group: KnownGroup, terms: GroupTerms, now: number): BlockedGroup | undefined {
    const { failedJob, retriedJob, window } = group;
    const { limiter } = terms;
    return groupBlockedBy(
      {
        isPaused: group.isPaused,
        heldUntil: group.held?.time,
        failedJob: failedJob?.id,
        retried: retriedJob && { job: retriedJob.id, dueAt: retriedJob.position?.rank ?? now },
        running: this.#running(group.id),
        earliestStart: limiter && window?.earliest(limiter),
      },
      terms,
      now,
    );
  }

  /** Counted from the running jobs each time, never kept alongside them. */
  #running(id: string): number {
    const active = this.#jobs.active().filter(({ group }) => group?.id === id).length;
    return active + [...this.#endingCalls.values()].filter((each) => each === id).length;
  }

  #countStart(id: string, now: number): void {
    const minute = Math.floor(now / MINUTE);
    for (const each of this.#starts.keys()) {
      if (each <= minute - SHARE_WINDOW / MINUTE) this.#starts.delete(each);
    }
    const counts = this.#starts.get(minute) ?? new Map<string, number>();
    this.#starts.set(minute, counts);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }

  #startsSince(now: number): ReadonlyMap<string, number> {
    const first = Math.floor(now / MINUTE) - SHARE_WINDOW / MINUTE;
    const starts = new Map<string, number>();
    for (const [minute, counts] of this.#starts) {
      if (minute <= first) continue;
      for (const [id, count] of counts) starts.set(id, (starts.get(id) ?? 0) + count);
    }
    return starts;
  }
}

function newOrder() {
  return new SortedTree<Turn, KnownGroup>(undefined, (a, b) =>
    a.time === b.time ? a.number - b.number : a.time - b.time,
  );
}

function firstOf(order: ReturnType<typeof newOrder>): KnownGroup | undefined {
  const first = order.minKey();
  return first && order.get(first);
}

function counted(jobs: readonly StoredJob[], isGrouped: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!isGrouped) return counts;
  for (const { group } of jobs) {
    const id = group?.id ?? NO_GROUP;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
