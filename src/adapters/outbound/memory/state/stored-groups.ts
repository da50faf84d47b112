import type { GroupRecord, SharedGroups } from '../../../../domain/records/group-record.ts';
import type { Position } from '../../../../domain/records/job-record.ts';
import type { GroupsState } from '../../../../domain/transitions/groups-state.ts';
import { CallWindow } from './call-window.ts';
import { StoredGroupOrder } from './group-order.ts';
import { GroupStarts } from './group-starts.ts';
import { JobsOfGroup } from './jobs-of-group.ts';
import { writtenGroup, type WrittenGroup, type WrittenShared } from '../records/group-record.ts';
import { pieceRecordId } from '../records/limiter-record.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import { StoredDemand } from './stored-demand.ts';
import type { StoredGroup } from './stored-group.ts';
import type { StoredJob } from './stored-job.ts';
import type { TouchedGroups } from './touched-groups.ts';

/** The groups of one queue. Transitions change them; nothing is decided here. */
export class StoredGroups implements GroupsState {
  readonly #groups = new Map<string, StoredGroup>();
  readonly #changes: ChangesOfQueue;
  readonly #reserved: (job: StoredJob) => number | undefined;
  readonly #note = (group: StoredGroup): void => {
    this.#changes.note('group', group.id);
    this.kept.note(group);
  };
  readonly kept = new StoredDemand(() => this.#groups.values());
  readonly ready = new StoredGroupOrder(this.#note);
  readonly idle = new StoredGroupOrder(this.#note);
  readonly parked = new StoredGroupOrder(this.#note);
  readonly holds = new StoredGroupOrder(this.#note);
  readonly windows = new StoredGroupOrder(this.#note);
  /** How many jobs of each group started lately. */
  readonly starts: GroupStarts;
  /** Is given the groups in which another number of jobs waits; undefined while no one needs them. */
  touched: TouchedGroups | undefined;
  readonly #shared: { -readonly [Field in keyof SharedGroups]: SharedGroups[Field] } = {
    isGrouped: false,
    time: 0,
    hasBegun: false,
    defaults: undefined,
    endingCalls: new Map(),
  };
  #places = 0;
  waiting = 0;
  withSettings = 0;
  /** How many groups have a limit of their own on their waiting jobs, which may have expired. */
  withMaxWaiting = 0;
  paused = 0;

  /** @param reserved the place that was reserved for a job before it was there. */
  constructor(
    changes: ChangesOfQueue,
    reserved: (job: StoredJob) => number | undefined = () => undefined,
  ) {
    this.#changes = changes;
    this.#reserved = reserved;
    this.starts = new GroupStarts((id) => {
      changes.note('share', id);
    });
  }

  get shared(): SharedGroups {
    return this.#shared;
  }

  share(changes: Partial<SharedGroups>): void {
    Object.assign(this.#shared, changes);
    this.#changes.note('queue', '');
  }

  nextPlace(job: StoredJob): number {
    return this.#reserved(job) ?? this.reservePlace();
  }

  /** @returns a number that no other place in a group gets, greater than all before. */
  reservePlace(): number {
    this.#places += 1;
    this.#changes.note('queue', '');
    return this.#places;
  }

  find(id: string): StoredGroup | undefined {
    return this.#groups.get(id);
  }

  open(id: string): StoredGroup {
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const group: StoredGroup = { id, jobs: new JobsOfGroup(), virtualTime: 0, isPaused: false };
    this.#groups.set(id, group);
    return group;
  }

  write(group: StoredGroup, changes: Partial<Omit<GroupRecord, 'id'>>): void {
    this.#count(group, -1);
    Object.assign(group, changes);
    this.#count(group, 1);
    this.#note(group);
  }

  forget(group: StoredGroup): void {
    this.#groups.delete(group.id);
    this.#note(group);
    this.kept.forget(group);
  }

  all(): IterableIterator<StoredGroup> {
    return this.#groups.values();
  }

  windowOf(group: StoredGroup): CallWindow | undefined {
    return group.window;
  }

  openWindow(group: StoredGroup): CallWindow {
    group.window ??= new CallWindow((piece) => {
      this.#changes.note('limiter', pieceRecordId(group.id, piece));
    });
    return group.window;
  }

  closeWindow(group: StoredGroup): void {
    group.window?.noteAll();
    group.window = undefined;
    this.#note(group);
  }

  jobsOf(group: StoredGroup): JobsOfGroup {
    return group.jobs;
  }

  enter(group: StoredGroup, job: StoredJob, position: Position): void {
    group.jobs.put(job, position);
    this.waiting += 1;
    this.kept.note(group);
    this.touched?.note(group.id);
  }

  leave(group: StoredGroup, job: StoredJob): void {
    group.jobs.remove(job);
    this.waiting -= 1;
    this.kept.note(group);
    this.touched?.note(group.id);
  }

  noteRoom(group: StoredGroup): void {
    this.kept.note(group);
  }

  countStart({ id }: StoredGroup, now: number): void {
    this.starts.count(id, now);
  }

  forgetStarts(isMeant: (group: string) => boolean): void {
    this.starts.forget(isMeant);
  }

  shareOf(id: string, now: number): number {
    return this.starts.share(id, now);
  }

  /** How many entries the groups take, not counting those of shares: none once nothing of any group is left. */
  get entries(): number {
    const orders = [this.ready, this.idle, this.parked, this.windows, this.holds];
    const places = orders.reduce((sum, { size }) => sum + size, 0);
    return this.#groups.size + this.#shared.endingCalls.size + places;
  }

  /** A group as it is written; undefined when it is not kept. */
  record(id: string): WrittenGroup | undefined {
    const group = this.#groups.get(id);
    return group && writtenGroup(group, this);
  }

  get sharedRecord(): WrittenShared {
    const { endingCalls, ...shared } = this.#shared;
    return { ...shared, places: this.#places, endingCalls: [...endingCalls] };
  }

  restoreShared({ places, endingCalls, defaults, isFreeing, ...shared }: WrittenShared): void {
    const calls = new Map(endingCalls);
    for (const { group } of [...this.#shared.endingCalls.values(), ...calls.values()]) {
      const known = this.#groups.get(group);
      if (known !== undefined) this.kept.note(known);
    }
    Object.assign(this.#shared, { ...shared, defaults, isFreeing, endingCalls: calls });
    this.#places = places;
  }

  /** Takes a group as it was written; undefined when it is not kept. */
  replace(id: string, record: WrittenGroup | undefined): void {
    const known = this.#groups.get(id);
    if (known !== undefined) this.#blank(known, record?.window !== undefined);
    if (record !== undefined) this.#restore(this.open(id), record);
    else if (known?.jobs.size === 0) {
      this.#groups.delete(id);
      this.kept.forget(known);
    }
  }

  /** A job waits where it did when its record was written. */
  restoreWaiting(job: StoredJob): void {
    const { group, groupPosition } = job;
    if (group !== undefined && job.status === 'waiting' && groupPosition !== undefined) {
      this.open(group.id).jobs.put(job, groupPosition);
      this.waiting += 1;
      this.touched?.note(group.id);
    }
    this.#noteRoomOf(job);
  }

  /** Takes a job out that was put there so. */
  takeWaiting(job: StoredJob): void {
    const { group, groupPosition } = job;
    if (group !== undefined && job.status === 'waiting' && groupPosition !== undefined) {
      this.find(group.id)?.jobs.remove(job);
      this.waiting -= 1;
      this.touched?.note(group.id);
    }
    this.#noteRoomOf(job);
  }

  /** Notes all records of groups, as the queue goes. */
  noteAll(): void {
    for (const group of this.#groups.values()) {
      this.#note(group);
      group.window?.noteAll();
    }
    for (const id of this.starts.recorded) this.#changes.note('share', id);
  }

  /** Another replica has written the job, which may run, or run no more. */
  #noteRoomOf({ group }: StoredJob): void {
    const known = group && this.#groups.get(group.id);
    if (known !== undefined) this.kept.note(known);
  }

  #restore(group: StoredGroup, record: WrittenGroup): void {
    this.kept.note(group);
    const { ready, idle, parked, hold, window, isPaused = false, ...fields } = record;
    Object.assign(group, fields, { isPaused });
    this.#count(group, 1);
    if (ready !== undefined) this.ready.restore(group, ready);
    if (idle !== undefined) this.idle.restore(group, idle);
    if (parked !== undefined) {
      this.parked.restore(group, { ...parked, time: parked.time ?? Infinity });
    }
    if (hold !== undefined) this.holds.restore(group, hold);
    if (window === undefined) return;
    this.openWindow(group).restoreDropped(window.outdated);
    this.windows.restore(group, window.place);
  }

  #blank(group: StoredGroup, keepsWindow: boolean): void {
    this.#count(group, -1);
    for (const order of [this.ready, this.idle, this.parked, this.holds, this.windows]) {
      order.delete(group);
    }
    if (!keepsWindow) group.window = undefined;
    const nothing = { settings: undefined, failedJob: undefined, retriedJob: undefined };
    const nobody = { pausedBy: undefined, heldBy: undefined };
    Object.assign(group, { virtualTime: 0, isPaused: false, ...nothing, ...nobody });
  }

  #count({ settings, isPaused }: GroupRecord, by: number): void {
    if (settings !== undefined) this.withSettings += by;
    if (settings?.maxWaiting !== undefined) this.withMaxWaiting += by;
    if (isPaused) this.paused += by;
  }
}
