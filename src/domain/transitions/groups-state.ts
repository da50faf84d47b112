import type { GroupDefaults } from '../groups/group-settings.ts';
import type { GroupRecord, SharedGroups } from '../records/group-record.ts';
import type { IndexedJob, ListedJob, Position } from '../records/job-record.ts';
import type { StartWindow } from './queue-state.ts';

/** The groups of a queue within one step (docs/groups.md). */
export interface GroupsState {
  readonly shared: SharedGroups;
  share(changes: Partial<SharedGroups>): void;
  /** A number that no place in a group has had: one that was reserved for the job, or else greater than all before. */
  nextPlace(job: IndexedJob): number;

  find(id: string): GroupRecord | undefined;
  /** The group, which is kept from now on. */
  open(id: string): GroupRecord;
  write(group: GroupRecord, changes: Partial<Omit<GroupRecord, 'id'>>): void;
  forget(group: GroupRecord): void;
  all(): Iterable<GroupRecord>;

  /** Those with waiting jobs, by their virtual times. */
  readonly ready: GroupOrder;
  /** Those without waiting jobs whose virtual time is ahead of the queue's. */
  readonly idle: GroupOrder;
  /** Those with waiting jobs of which none may start, by when (epoch ms) one may; Infinity when that is not known. */
  readonly parked: GroupOrder;
  /** Those that are held, by when (epoch ms) their holds end. */
  readonly holds: GroupOrder;
  /** Those whose limiters count starts, by when (epoch ms) the last start stops counting. */
  readonly windows: GroupOrder;
  /** The starts that the limiter of a group counts; undefined when there are none. */
  windowOf(group: GroupRecord): StartWindow | undefined;
  openWindow(group: GroupRecord): StartWindow;
  closeWindow(group: GroupRecord): void;
  /** How many groups have settings, and how many are paused. */
  readonly withSettings: number;
  readonly paused: number;

  /** How many jobs of groups wait. */
  readonly waiting: number;
  /** The waiting jobs of a group. */
  jobsOf(group: GroupRecord): WaitingOfGroup;
  enter(group: GroupRecord, job: IndexedJob, position: Position): void;
  leave(group: GroupRecord, job: ListedJob): void;

  /** Notes that more or fewer jobs of the group may start than before, where no write of the group shows that. */
  noteRoom(group: GroupRecord): void;
  readonly kept: KeptDemand;

  /** Counts a start for the share of the group. */
  countStart(group: GroupRecord, now: number): void;
  /** Forgets the starts of the groups that are meant, for their shares. */
  forgetStarts(isMeant: (group: string) => boolean): void;
  /** The part of the group in the starts within SHARE_WINDOW; 0 without starts. */
  shareOf(id: string, now: number): number;
}

/** The waiting jobs of one group, in the order in which they start. */
export interface WaitingOfGroup {
  readonly size: number;
  first(): IndexedJob | undefined;
}

/**
 * What is kept of each group since it was examined for the demand of its queue, so that a look examines only those that
 * changed since.
 */
export interface KeptDemand {
  /** How many waiting jobs the limits of their groups keep from starting. */
  readonly behind: number;
  /** When (epoch ms) the oldest of the next jobs of groups that may start one could; undefined without one. */
  readonly since: number | undefined;
  /** Has all groups be examined again if they were by other settings. */
  goBy(defaults: GroupDefaults | undefined): void;
  /** Takes up to `most` groups that changed since they were examined, or whose time (epoch ms) has come. */
  take(now: number, most: number): Iterable<GroupRecord>;
  keep(group: GroupRecord, examined: ExaminedGroup): void;
}

/** A group as it was examined. Times are epoch ms. */
export interface ExaminedGroup {
  /** How many of its waiting jobs its limits keep from starting. */
  readonly behind: number;
  /** When the next of its jobs could start; undefined when none may. */
  readonly since: number | undefined;
  /** When to examine it again although nothing changes it; Infinity for never. */
  readonly until: number;
}

/** Some groups by a time: a virtual one, or epoch ms. Among equal times, the first group that was set comes first. */
export interface GroupOrder {
  readonly size: number;
  has(group: GroupRecord): boolean;
  timeOf(group: GroupRecord): number | undefined;
  first(): GroupRecord | undefined;
  firstTime(): number | undefined;
  /** The first `most` of the groups whose time is later than that. */
  after(time: number, most: number): readonly GroupRecord[];
  /** Adds the group, or moves it. */
  set(group: GroupRecord, time: number): void;
  /** @returns whether the group was there. */
  delete(group: GroupRecord): boolean;
}
