import type { ChildEnding } from '../flows/family.ts';
import type { FailedJob } from '../jobs/failures.ts';
import type { JobAddress } from '../flows/flow.ts';
import type { EndedState, JobState } from '../jobs/job-status.ts';
import type { HooksOfJobs } from '../hooks/hooks-of-jobs.ts';
import type { EventName } from '../events/queue-event.ts';
import type { Limiter } from '../queues/limiter.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { Calendar } from '../schedulers/slots.ts';
import type { CountedStart } from '../queues/start-window.ts';
import type { StartsInWindow } from '../attempts/turns.ts';
import type { Child } from '../records/child-record.ts';
import type { DeduplicationRecord } from '../records/deduplication-record.ts';
import type {
  IndexChanges,
  IndexedJob,
  JobChanges,
  JobRecord,
  ListedJob,
} from '../records/job-record.ts';
import type { QueueRecord } from '../records/queue-record.ts';
import type { RememberedAdd } from '../records/remembered-add.ts';
import type { RememberedReport } from '../records/remembered-report.ts';
import type { SchedulerRecord } from '../records/scheduler-record.ts';
import type { GroupsState } from './groups-state.ts';
import type { LimitsState } from './shared-limits.ts';

/*
 * What a transition reads of a queue, and its effects on it. A transition is a function of these reads, of the time and
 * of what it was asked; all it does is by these effects. A store that keeps the state elsewhere may load what a
 * transition reads, run it, and write its effects afterwards; it runs it again when it needs more than was loaded.
 * A record that was read shows what the same step has written since.
 */

/** One queue within one step. */
export interface QueueState {
  readonly name: QueueName;
  /** The prefix of qualified names of queues. */
  readonly prefix: string;
  /** The replica that runs the step, as its log lines name it. */
  readonly replica: string;
  readonly record: QueueRecord;
  change(changes: Partial<QueueRecord>): void;
  readonly jobs: JobsState;
  readonly groups: GroupsState;
  /** The starts that the limiter of its worker counts. */
  readonly starts: StartWindow;
  /** The limits that queues share. */
  readonly limits: LimitsState;
  readonly deduplications: DeduplicationsState;
  readonly schedulers: KeyedState<SchedulerRecord>;
  readonly calendar: Calendar;
  /** Whether schedulers skip a slot that is due, since the memory of the store is full. */
  skipsSlots(): boolean;
  readonly adds: RememberedAdds;
  readonly signals: SignalsState;
  readonly reports: RememberedReports;
  /** Another queue in the same step; undefined when there is none of that name. */
  other(queue: QueueName): QueueState | undefined;
  /** Another queue in the same step, which is opened if there is none of that name. */
  opened(queue: QueueName): QueueState;
  /** The hooks that want to know how jobs of the queue end. */
  readonly hooks: HooksOfJobs;
  /**
   * Records an event.
   *
   * @param detail what the event carries besides the job: text, JSON text or a time, depending on its name.
   * @param group the group of a job that is no longer there.
   */
  note(name: EventName, jobId?: string, detail?: string | number, group?: string): void;
  /** Tells those who wait for the end of the job, which is still there. */
  announceEnd(job: JobRecord): void;
  /** Wakes those who wait for jobs: a claim may succeed now. */
  wake(): void;
}

/** The jobs of a queue. */
export interface JobsState {
  find(id: string): ListedJob | undefined;
  /** The index of a job that has not ended. */
  indexed(job: ListedJob): IndexedJob;
  /** All of a job. @throws Error where only a part of it is at hand: the step has to see to that before. */
  whole(job: ListedJob): JobRecord;
  /**
   * Whether all of a job is at hand. A store that says no fetches it, and takes the step again: a step that is taken by
   * the order of jobs asks this before it changes the first.
   *
   * @param isToStart whether what its children returned has to be at hand, too, as far as a call carries it.
   */
  isAtHand(job: ListedJob, isToStart?: boolean): boolean;
  /**
   * Stores a job under a free id. It has no place yet.
   *
   * @param job a record that nobody else has: the store may keep it.
   * @param children those that it waits for.
   */
  insert(job: JobRecord, children?: readonly Child[]): JobRecord;
  write(job: IndexedJob, changes: IndexChanges): void;
  write(job: JobRecord, changes: JobChanges): void;
  /** Removes a job that has left its place, with all that belongs to it. */
  remove(job: ListedJob): void;
  /** The jobs of each state, first to last. */
  readonly in: PlacesOfJobs;
  /** Of the jobs that wait for a claim or for their time, the one that was added first. */
  oldestUnstarted(): IndexedJob | undefined;
  /** The oldest of the jobs that ended this way. Of those that ended in the same millisecond, ids decide. */
  oldestEnded(status: EndedState): ListedJob | undefined;
  /** The latest `most` of the jobs that ended this way up to a time (epoch ms), the oldest first. */
  endedBy(status: EndedState, time: number, most: number): readonly ListedJob[];
  /** The jobs that were put back since the last one started, and have not moved since. */
  returned(): Iterable<IndexedJob>;
  /** The first job that did not start in time. */
  expired(now: number): IndexedJob | undefined;
  /** The job, of those that are held by their acceptance, that is to be checked first. */
  firstAccepted(): IndexedJob | undefined;
  /** The jobs that claims failed because they did not start in time, and that no sweep has seen yet. */
  readonly failedByClaims: FailedByClaims;
  /** The children of a job; undefined for one that never waits for others. */
  childrenOf(job: ListedJob): ChildrenState | undefined;
  /** Has a job wait for jobs that were added. What it knows of other children stays. */
  addChildren(job: JobRecord, children: readonly Child[]): void;
  /** Keeps the value of a step of a job, as JSON. */
  putStep(job: IndexedJob, number: number, value: string): void;
  removeStep(job: IndexedJob, number: number): void;
  /** The jobs that await a signal, those that wait longest first. The timeouts of some may have passed. */
  waitingFor(key: string): ReadonlySet<IndexedJob>;
  /** Adds a line to the log of a job, and keeps the last `most`. */
  addLog(job: JobRecord, line: string, most: number): void;
  clearLog(job: JobRecord): void;
  /** Up to `most` of the jobs that ended this way and are not redacted, the first to end first. */
  unredacted(status: EndedState, most: number): readonly ListedJob[];
}

export type PlacesOfJobs = Readonly<
  Record<EndedState, PlaceOfEnded> & Record<Exclude<JobState, EndedState>, JobPlace>
>;

/** The jobs that ended in one way. */
export interface PlaceOfEnded {
  readonly size: number;
  /** Puts the job behind all others of its rank. */
  append(job: IndexedJob, rank: number): void;
  remove(job: ListedJob): void;
}

/** The jobs of one other state. */
export interface JobPlace extends PlaceOfEnded {
  first(): IndexedJob | undefined;
  last(): IndexedJob | undefined;
  firstOf(rank: number): IndexedJob | undefined;
  /** Up to `most` jobs from the first one on. */
  fromFirst(most: number): readonly IndexedJob[];
  /** All jobs from the last one back. */
  fromLast(): readonly IndexedJob[];
  /** The jobs up to this rank, first to last, `most` at the most. */
  upTo(rank: number, most: number): readonly IndexedJob[];
  /** How many they are. */
  countUpTo(rank: number): number;
  /** Puts the job ahead of all others of its rank. */
  prepend(job: IndexedJob, rank: number): void;
}

/** The latest starts that a limiter counts. */
export interface StartWindow {
  /**
   * When (epoch ms) the last of those was made that have to leave it before a job of this cost starts; undefined when
   * none has to.
   */
  earliest(limiter: Limiter, cost: number): number | undefined;
  /** The starts that it counts. */
  counted(limiter: Limiter, now: number): StartsInWindow;
  /** Adds a start, and forgets those that the limiter no longer counts. */
  count(limiter: Limiter, start: CountedStart): void;
  /** Takes a start back: its call was not made. */
  uncount(start: CountedStart): void;
  /** Sets what a start counts. One that has left the window is ignored. */
  correct(start: CountedStart, cost: number): void;
}

/** Records by their ids. */
export interface KeyedState<Kept> {
  find(id: string): Kept | undefined;
  put(id: string, record: Kept): void;
  /** @returns whether there was one. */
  remove(id: string): boolean;
  readonly size: number;
}

export interface DeduplicationsState {
  /** All ids that stand, or that a job waits for. */
  ids(): Iterable<string>;
  find(id: string): DeduplicationRecord | undefined;
  /** A record without anything is removed. */
  put(id: string, record: DeduplicationRecord): void;
  /** An id whose time is over; undefined when there is none. */
  due(now: number): string | undefined;
}

/** The adds that may be repeated, by their keys. */
export interface RememberedAdds extends KeyedState<RememberedAdd> {
  /** How many pieces of REMEMBERED_PIECE all of them count as. */
  readonly pieces: number;
  ids(): Iterable<string>;
  /** The one that was put before all others. */
  oldest(): readonly [key: string, add: RememberedAdd] | undefined;
}

/** The reports that recently ended attempts, by the token of the attempt. */
export interface RememberedReports extends KeyedState<RememberedReport> {
  oldest(): readonly [token: string, report: RememberedReport] | undefined;
}

/** A kept signal without its body. */
export interface KeptSignal {
  /** Epoch ms. */
  readonly until: number;
}

/** The kept signals of a queue, by their keys. */
export interface SignalsState {
  readonly size: number;
  find(key: string): KeptSignal | undefined;
  entries(): Iterable<readonly [key: string, signal: KeptSignal]>;
  /** The body of a kept signal, as JSON. @throws Error where it is not at hand: the step has to see to that before. */
  bodyOf(key: string): string;
  keep(key: string, signal: KeptSignal, body: string): void;
  /** @returns whether there was one. */
  remove(key: string): boolean;
}

/** A job that a claim failed because it did not start in time. */
export interface FailedByClaim extends FailedJob {
  /** Epoch ms. */
  readonly at: number;
}

export interface FailedByClaims {
  add(job: FailedByClaim): void;
  /** Removes and returns up to `most` of them. */
  take(most: number): readonly FailedByClaim[];
}

/** How a job ended that a step added. */
export interface EndOfAdded {
  readonly state: ChildEnding;
  /** About how many characters the value has. */
  readonly length: number;
  /** What it returned, or why it failed, as JSON. @throws Error where that is not at hand. */
  readonly value: string;
}

/** The children of one job. */
export interface ChildrenState {
  /** In the order in which they were added. */
  readonly known: readonly Child[];
  /** How many of them the parent waits for. */
  readonly waitsFor: number;
  /** The child, if the parent waits for it. */
  waitedFor(address: JobAddress): Child | undefined;
  /** @param returnvalue what the child returned, as JSON. */
  end(child: Child, state: ChildEnding, returnvalue: string): void;
  /** A child that had ended starts over. */
  startOver(address: JobAddress): void;
  /** The return value of the child, if it has ended, is gone. */
  redact(child: JobAddress): void;
  /** How a child ended that a step added; undefined for one that has not, or that is gone. */
  endOf(child: JobAddress): EndOfAdded | undefined;
  /** The parent knows the child no longer. */
  forget(child: JobAddress): void;
}
