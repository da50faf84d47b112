import type { JobState } from '../../../../domain/jobs/job-status.ts';
import {
  AHEAD_OF_ALL,
  delayedPlace,
  placeBehind,
  placeOf,
  placeOfParent,
  placeOfReturned,
  predecessor,
  whenDue,
  type Place,
  type Returned,
  type UnstartedStatus,
} from '../../../../domain/attempts/order.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { GroupDefaults } from '../../../../domain/groups/group-settings.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import { groupFull, queueFull } from '../../../../domain/errors.ts';
import { AddTrial } from './add-trial.ts';
import { Deduplications } from './deduplications.ts';
import type { JobList } from './job-list.ts';
import { JobLists, type FinishedStatus } from './job-lists.ts';
import { EndedJob, endedStatus, isStored, type ListedJob } from './listed-job.ts';
import { childRecordId } from './job-record.ts';
import { ExpiringJobs } from './expiring-jobs.ts';
import type { QueueEvents } from './queue-events.ts';
import { QueueGroups } from './queue-groups.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import { storedJob, type StoredJob } from './stored-job.ts';

/** Waiting jobs of groups are listed behind the others; among them they start in turns. */
const RANK_OF_GROUPED = -1;

/** The most waiting jobs that are checked for one that may be taken out of turn. */
const MOST_LOOKED_AT = 1000;

/** What a queue counts. */
export interface JobNumbers {
  readonly lastId: number;
  readonly starts: number;
}

interface ReturnedJob extends Returned {
  readonly job: StoredJob;
}

/** What a claim knows of the groups of the queue. */
export interface GroupClaim {
  readonly defaults: GroupDefaults | undefined;
  /** Whether the job may be taken when it is next. */
  readonly mayTake: (job: StoredJob) => boolean;
  /** Whether the claim fills a call with several jobs, which may pass over the first job that is due. */
  readonly isOfBatch?: boolean;
  /** Whether a job may be taken ahead of others that may not be taken, in a queue without groups. */
  readonly isAnyOrder?: boolean;
  /**
   * The one group whose jobs may be taken; without `group`, only jobs without one. Absent where any job may be taken.
   */
  readonly only?: { readonly group?: string | undefined };
}

const ANY_CLAIM: GroupClaim = { defaults: undefined, mayTake: () => true };

/** A job that was added, or one that existed under its id. */
export interface Addition {
  readonly id: string;
  /** Undefined for a job that existed. */
  readonly stored: StoredJob | undefined;
  readonly existed: boolean;
  /** Whether it holds the deduplication id of the added job. */
  readonly isDeduplicated: boolean;
}

/** All jobs of one queue, and their moves between the lists of their states. */
export class QueueJobs {
  readonly #byId = new Map<string, ListedJob>();
  readonly #lists = new JobLists();
  /** Read access to the lists. */
  readonly listed: Omit<JobLists, 'of'> = this.#lists;
  readonly #expiring = new ExpiringJobs();
  /** Its groups, once a job has one. */
  readonly groups: QueueGroups;
  readonly events: QueueEvents;
  readonly #ended: (job: StoredJob) => void;
  readonly #removed: (job: ListedJob, isDrained: boolean) => void;
  readonly deduplications: Deduplications;
  readonly #changes: ChangesOfQueue;
  /** Jobs that were put back since the last one started, and have not moved since. */
  readonly #returned = new Map<StoredJob, ReturnedJob>();
  #lastId = 0;
  /** How many jobs were taken. */
  #starts = 0;

  /**
   * @param ended receives each job that completed or failed, before retention may remove it.
   * @param removed receives each removed job, and whether the queue is being drained.
   */
  constructor(
    events: QueueEvents,
    changes: ChangesOfQueue,
    ended: (job: StoredJob) => void,
    removed: (job: ListedJob, isDrained: boolean) => void,
  ) {
    this.#changes = changes;
    this.groups = new QueueGroups(
      {
        active: () => this.#lists.active(),
        latestActive: () => this.#lists.latestActive(),
        delayed: (most) => this.#lists.of.delayed.fromFirst(most),
        firstUngrouped: () => this.#firstUngrouped(),
        ungrouped: () => this.#ungrouped,
        hasUngrouped: (now) => this.#hasUngrouped(now),
      },
      changes,
    );
    this.deduplications = new Deduplications(
      {
        find: (id) => this.find(id),
        discard: (job) => {
          this.events.record('removed', job.id);
          this.discard(job);
        },
        defer: (job, delay, now) => {
          this.defer(job, delay, now);
        },
      },
      changes,
    );
    this.events = events;
    events.groupOf = (id) => this.#byId.get(id)?.group?.id;
    this.#ended = ended;
    this.#removed = removed;
  }

  /**
   * Stores all the jobs or none. A job whose id exists is not stored; the existing job takes its place in the result.
   *
   * @throws DomainError `queue-full` when more than `maxWaiting` jobs would wait.
   */
  add(
    jobs: readonly NewJob[],
    maxWaiting: number | undefined,
    now: number,
    maxWaitingOfGroup?: number,
  ): readonly Addition[] {
    const { nextId } = this;
    // Making a job may throw, so all are made before the first is stored.
    const made = jobs.map((job, position) =>
      storedJob(job.opts.jobId ?? String(nextId + position), job, now),
    );
    if (maxWaiting !== undefined) this.#checkRoom(made, jobs, maxWaiting, now);
    const fresh = made.map((job) => (this.#byId.has(job.id) ? undefined : job));
    if (fresh.some((job) => job?.group !== undefined)) {
      const full = this.groups.firstWithoutRoom(fresh, maxWaitingOfGroup, now);
      if (full !== undefined) throw groupFull(`[${full.position}].opts`, full.id, full.waiting);
    }
    // A job with an id of its own uses up a number too, as in BullMQ.
    this.#lastId += jobs.length;
    this.#changes.note('queue', '');
    this.deduplications.expire(now);
    return made.map((job, index) => {
      const { id } = job;
      if (this.#byId.has(id)) {
        return { id, stored: undefined, existed: true, isDeduplicated: false };
      }
      const deduplication = jobs[index]?.opts.deduplication;
      const standing = deduplication && this.deduplications.take(job, deduplication, now);
      if (standing !== undefined) {
        return { id: standing, stored: undefined, existed: true, isDeduplicated: true };
      }
      return { id, stored: this.insert(job, now), existed: false, isDeduplicated: false };
    });
  }

  /** Adds a job that waits for its children, if it has any. */
  addOfFlow(job: StoredJob, now: number): void {
    this.#lastId += 1;
    if (job.children === undefined) this.insert(job, now);
    else {
      if (job.group !== undefined) this.groups.begin();
      this.#byId.set(job.id, job);
      this.#changes.note('payload', job.id);
      for (const child of job.children.known) this.childChanged(job, child);
      this.events.record('added', job.id, job.name);
      this.#enter(job, 'waiting-children').append(job, 0);
    }
  }

  /** Lets a job that ended wait for its children again. */
  waitForChildren(job: StoredJob): void {
    this.#leave(job);
    this.#enter(job, 'waiting-children').append(job, 0);
  }

  /** Ends the wait of a job for its children. It goes ahead of the waiting jobs unless its options say otherwise. */
  endWaiting(job: StoredJob, now: number): void {
    const place = placeOfParent(job, now);
    if (place.status === 'delayed') this.defer(job, job.delay, now);
    else this.#put(job, place);
  }

  /** The number that the next job without an id of its own gets. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  find(id: string): ListedJob | undefined {
    return this.#byId.get(id);
  }

  /** The job, if all of it is in memory. One that has not ended always is. */
  findStored(id: string): StoredJob | undefined {
    const job = this.#byId.get(id);
    return isStored(job) ? job : undefined;
  }

  /**
   * The next job to process, made active: due ones first, then waiting, then prioritized ones. `another` when the next
   * job may not be taken.
   */
  takeNext(now: number, claim = ANY_CLAIM): StoredJob | 'another' | undefined {
    const next = this.groups.isGrouped
      ? this.#nextInTurn(now, claim)
      : this.#nextUngrouped(now, claim);
    if (next === undefined) return claim.only && this.#hasNext(now, claim) ? 'another' : undefined;
    const job = claim.mayTake(next) ? next : this.#nextBehind(claim);
    if (job === undefined) {
      this.groups.takeNone();
      return 'another';
    }
    if (job.status === 'delayed') this.events.record('waiting', job.id);
    job.delay = 0;
    this.#returned.clear();
    this.#starts += 1;
    this.#leave(job);
    this.#enter(job, 'active').append(job, 0);
    return job;
  }

  /** Whether a job of any group may start. */
  #hasNext(now: number, claim: GroupClaim): boolean {
    const has = this.groups.next(claim.defaults, now) !== undefined;
    this.groups.takeNone();
    return has;
  }

  /** The first waiting job that may be taken, if jobs may be taken out of turn. */
  #nextBehind({ mayTake, isAnyOrder }: GroupClaim): StoredJob | undefined {
    if (isAnyOrder !== true || this.groups.isGrouped) return undefined;
    const { waiting, prioritized } = this.#lists.of;
    const first = waiting.fromFirst(MOST_LOOKED_AT);
    const others = prioritized.fromFirst(MOST_LOOKED_AT - first.length);
    return [...first, ...others].find(mayTake);
  }

  #nextUngrouped(now: number, { isOfBatch }: GroupClaim): StoredJob | undefined {
    if (isOfBatch === true) this.#moveDueAhead(now);
    return this.#nextDue(now) ?? this.#firstUngrouped();
  }

  #nextInTurn(now: number, claim: GroupClaim): StoredJob | undefined {
    const { defaults, only } = claim;
    this.#moveDueOfGroups(now);
    const next =
      only === undefined
        ? this.groups.next(defaults, now)
        : this.groups.nextOf(only.group ?? NO_GROUP, now);
    return next === NO_GROUP ? this.#nextUngrouped(now, claim) : next;
  }

  /** Moves the due jobs of groups to the waiting ones, and lets jobs without a group take a turn if one fell due. */
  #moveDueOfGroups(now: number): void {
    for (const job of this.#lists.of.delayed.fromFirstWhile(
      ({ position }) => (position?.rank ?? 0) <= now,
    )) {
      if (job.group === undefined) {
        this.groups.ungroupedWaits();
        continue;
      }
      const dueAt = job.position?.rank ?? now;
      const isRetried = this.groups.isBlocking(job);
      this.#leave(job);
      job.delay = 0;
      if (isRetried) this.groups.putBack(job);
      else this.groups.putDue(job, dueAt);
      this.#enter(job, 'waiting').append(job, RANK_OF_GROUPED);
    }
  }

  /** Moves the due jobs ahead of all waiting ones, in the order in which they fell due. */
  #moveDueAhead(now: number): void {
    const due: StoredJob[] = [];
    for (let job = this.#nextDue(now); job !== undefined; job = this.#nextDue(now)) {
      job.delay = 0;
      this.#put(job, AHEAD_OF_ALL);
      due.push(job);
    }
    for (const job of due.reverse()) this.putFirst(job);
  }

  #firstUngrouped(): StoredJob | undefined {
    return this.#lists.of.waiting.firstOf(0) ?? this.#lists.of.prioritized.first();
  }

  /** How many jobs without a group wait. */
  get #ungrouped(): number {
    return this.#lists.of.waiting.size - this.groups.waiting + this.#lists.of.prioritized.size;
  }

  #hasUngrouped(now: number): boolean {
    if (this.#ungrouped > 0) return true;
    const due = this.#lists.of.delayed.first();
    return due !== undefined && due.group === undefined && (due.position?.rank ?? 0) <= now;
  }

  /** Puts the job behind those that already wait, or ahead of them if it was added last in, first out. */
  enqueue(job: StoredJob): void {
    this.#put(job, placeOf(job));
  }

  /**
   * Puts the job, due at once, behind those that already wait or, if it has a priority, behind those of that priority.
   */
  moveBehind(job: StoredJob): void {
    job.delay = 0;
    this.#put(job, placeBehind(job.priority));
  }

  /**
   * Puts the job ahead of those that wait, or of those that have its priority, but behind those that were put back
   * before, had started before it, and have not moved since. No job has started since then.
   */
  putBack(job: StoredJob): void {
    if (job.group !== undefined) {
      this.#putBackInGroup(job);
      return;
    }
    const { priority, position } = job;
    const started = position?.order ?? 0;
    const returned = { job, priority, started };
    const place = placeOfReturned(priority);
    const list = this.#lists.of[place.status];
    const before = predecessor(this.#returned.values(), returned);
    const ahead = before === undefined ? [] : takenUpTo(list, place.rank, before.job);
    this.#put(job, place);
    for (const each of ahead.reverse()) {
      list.prepend(each, place.rank);
      this.changed(each);
    }
    this.#returned.set(job, returned);
    job.returned = { started, starts: this.#starts };
  }

  /** Puts the job ahead of all waiting jobs, regardless of its priority. */
  putFirst(job: StoredJob): void {
    if (job.group !== undefined) {
      this.#putBackInGroup(job);
      return;
    }
    this.#put(job, AHEAD_OF_ALL);
  }

  /** Keeps the job from being taken for `delay` ms. */
  defer(job: StoredJob, delay: number, now: number): void {
    const isRetried = job.status === 'delayed' && this.groups.isBlocking(job);
    job.delay = delay;
    this.#put(job, delayedPlace(delay, now));
    if (isRetried) this.groups.delayed(job);
    this.events.record('delayed', job.id, now + delay);
  }

  /** The job with the earliest latest start, once that has passed. */
  expired(now: number): StoredJob | undefined {
    return this.#expiring.first(now);
  }

  /** Called when a job starts in time: it can no longer expire. */
  startedInTime(job: StoredJob): void {
    this.#expiring.remove(job);
  }

  /** Ends the job, and adds the successor for its deduplication id if there is one. */
  finish(job: StoredJob, status: FinishedStatus, now: number): void {
    this.#expiring.remove(job);
    job.finishedOn = now;
    this.#leave(job);
    this.#enter(job, status).append(job, 0);
    const detail = status === 'completed' ? job.returnvalue : job.failedReason;
    this.events.record(status, job.id, detail);
    this.#ended(job);
    const successor = this.deduplications.finished(job, now);
    if (successor === undefined) return;
    this.#lastId += 1;
    const existing = this.#byId.get(successor.id);
    if (existing !== undefined) this.discard(existing);
    this.insert({ ...successor, timestamp: now }, now);
  }

  /** Removes the job and frees its deduplication id. */
  remove(job: ListedJob, now: number, isDrained = false): void {
    this.discard(job, isDrained);
    this.deduplications.removed(job, now);
  }

  /** Removes the job without touching its deduplication. */
  discard(job: ListedJob, isDrained = false): void {
    if (isStored(job)) this.#expiring.remove(job);
    this.#leave(job);
    this.#byId.delete(job.id);
    this.#noteAll(job);
    this.#removed(job, isDrained);
  }

  /** Keeps of a job that ended what others need of it: what is not in memory any more is on a disk. */
  shrink(id: string): void {
    const job = this.#byId.get(id);
    const status = job && endedStatus(job);
    if (status === undefined || !isStored(job)) return;
    this.#replace(job, new EndedJob(job, status, job.logs.length > 0));
  }

  /** Takes back what was not in memory of a job that ended, unless that job is gone. */
  complete(job: ListedJob, stored: StoredJob): void {
    if (this.#byId.get(job.id) === job) this.#replace(job, stored);
  }

  #replace(before: ListedJob, job: ListedJob): void {
    const status = endedStatus(before);
    if (status === undefined) return;
    this.#lists.of[status].replace(before, job);
    this.#byId.set(job.id, job);
    this.groups.replaced(before, job);
  }

  /** To be called when a job changes where it is. */
  changed(job: StoredJob): void {
    this.#changes.note('job', job.id);
  }

  /** To be called when what clients gave to a job changes. */
  payloadChanged(job: StoredJob): void {
    this.#changes.note('payload', job.id);
  }

  logsChanged(job: StoredJob): void {
    this.#changes.note('logs', job.id);
  }

  /** To be called when a child of a job ends or is left out. */
  childChanged(parent: ListedJob, child: JobAddress): void {
    this.#changes.note('child', childRecordId(parent.id, child));
  }

  /** Notes all records of all jobs, as the queue goes. */
  noteAll(): void {
    for (const job of this.#byId.values()) this.#noteAll(job);
  }

  /** The last number that a job got, and how many starts there were. */
  get numbers(): JobNumbers {
    return { lastId: this.#lastId, starts: this.#starts };
  }

  /** To be called once all jobs are there. */
  restoreNumbers({ lastId, starts }: JobNumbers): void {
    this.#lastId = lastId;
    this.#starts = starts;
    for (const job of this.#byId.values()) {
      if (!isStored(job) || job.returned?.starts !== starts) continue;
      const { priority, returned } = job;
      this.#returned.set(job, { job, priority, started: returned.started });
    }
  }

  /** Puts a job that ended where it was when its record was written. */
  restoreEnded(job: EndedJob): void {
    this.#byId.set(job.id, job);
    this.#lists.of[job.status].restore(job, job.position);
  }

  /** The same for a job that has not ended. */
  restore(job: StoredJob): void {
    const { id, status, position, groupPosition } = job;
    this.#byId.set(id, job);
    this.#expiring.add(job);
    if (status === undefined || position === undefined) return;
    this.#lists.of[status].restore(job, position);
    if (job.group !== undefined && status === 'waiting' && groupPosition !== undefined) {
      this.groups.restoreWaiting(job, groupPosition);
    }
  }

  #noteAll(job: ListedJob): void {
    this.#changes.note('job', job.id);
    this.#changes.note('payload', job.id);
    const hasLogs = isStored(job) ? job.logs.length > 0 : job instanceof EndedJob && job.hasLogs;
    if (hasLogs) this.#changes.note('logs', job.id);
    for (const child of job.children?.known ?? []) this.childChanged(job, child);
  }

  /** Removes those of the jobs that still have the status and do not stay. @returns how many. */
  drain(
    jobs: readonly ListedJob[],
    status: UnstartedStatus,
    now: number,
    stays: (job: ListedJob) => boolean,
  ): number {
    let removed = 0;
    for (const job of jobs) {
      // An earlier one may have taken it along.
      const isThere = this.find(job.id) === job && job.status === status;
      if (!isThere || stays(job)) continue;
      this.remove(job, now, true);
      removed += 1;
    }
    return removed;
  }

  #checkRoom(
    made: readonly StoredJob[],
    jobs: readonly NewJob[],
    maxWaiting: number,
    now: number,
  ): void {
    const trial = new AddTrial(this.#byId, (id) => this.deduplications.find(id, now));
    const toWait = made.filter((job, index) => {
      return trial.wouldStore(job, jobs[index]?.opts.deduplication) && job.delay === 0;
    }).length;
    const waiting = this.#lists.count('waiting') + this.#lists.count('prioritized');
    if (toWait > 0 && waiting + toWait > maxWaiting) throw queueFull(maxWaiting);
  }

  /** Stores a job under a free id. */
  insert(job: StoredJob, now: number): StoredJob {
    if (job.group !== undefined) this.groups.begin();
    this.#byId.set(job.id, job);
    this.#changes.note('payload', job.id);
    this.#expiring.add(job);
    this.events.record('added', job.id, job.name);
    if (job.delay > 0) this.defer(job, job.delay, now);
    else this.enqueue(job);
    return job;
  }

  /** A due job with a priority goes behind the jobs of equal priority instead of ahead of all. */
  #nextDue(now: number): StoredJob | undefined {
    const { delayed } = this.#lists.of;
    for (let job = delayed.first(); job?.position !== undefined; job = delayed.first()) {
      const move = whenDue(job, job.position.rank, now);
      if (move === 'waits') return undefined;
      if (move === 'starts') return job;
      job.delay = 0;
      this.enqueue(job);
    }
    return undefined;
  }

  #putBackInGroup(job: StoredJob): void {
    this.#leave(job);
    this.groups.putBack(job);
    this.#enter(job, 'waiting').append(job, RANK_OF_GROUPED);
  }

  #put(job: StoredJob, { status, rank, end }: Place): void {
    const isBlocking = job.group !== undefined && this.groups.isBlocking(job);
    const hasRun = job.status === 'active';
    this.#leave(job);
    if (job.group !== undefined && isWaiting(status)) {
      this.groups.put(job, status === 'prioritized' ? rank : 0, isBlocking ? 'head' : end);
      this.#enter(job, 'waiting').append(job, RANK_OF_GROUPED);
      return;
    }
    if (isWaiting(status)) this.groups.ungroupedWaits(hasRun);
    const list = this.#enter(job, status);
    if (end === 'head') list.prepend(job, rank);
    else list.append(job, rank);
  }

  #enter(job: StoredJob, status: JobState): Pick<JobList, 'append' | 'prepend'> {
    if (isWaiting(status) && !isWaiting(job.status)) this.events.record('waiting', job.id);
    job.status = status;
    this.changed(job);
    return this.#lists.of[status];
  }

  #leave(job: ListedJob): void {
    if (job.status !== undefined) this.#lists.of[job.status].remove(job);
    if (job.group !== undefined) this.groups.left(job);
    if (!isStored(job)) return;
    this.#returned.delete(job);
    job.returned = undefined;
  }
}

/** Takes the jobs of a rank from the head of a list, up to and including the last one given. */
function takenUpTo(list: JobList, rank: number, last: StoredJob): StoredJob[] {
  const taken: StoredJob[] = [];
  for (let first = list.firstOf(rank); first !== undefined; first = list.firstOf(rank)) {
    list.remove(first);
    taken.push(first);
    if (first === last) break;
  }
  return taken;
}

function isWaiting(status: JobState | undefined): boolean {
  return status === 'waiting' || status === 'prioritized';
}
