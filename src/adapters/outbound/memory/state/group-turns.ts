import { MOST_IDLE, virtualStart, virtualTimeAfter } from '../../../../domain/attempts/turns.ts';
import { byteOrder } from '../../../shared/byte-order.ts';
import { GroupOrder, type Place } from './group-order.ts';
import type { KnownGroup } from './known-group.ts';

/** Where a group is in the turns. */
export interface TurnOfGroup {
  readonly ready?: Place | undefined;
  readonly idle?: Place | undefined;
  readonly parked?: (Omit<Place, 'time'> & { readonly time: number | null }) | undefined;
}

/** What the turns of all groups share. */
export interface SharedTurns {
  /** The virtual time of the queue. */
  readonly time: number;
  readonly hasBegun: boolean;
}

/** Decides which group of a queue starts a job next: start-time fair queuing (domain/attempts/turns). */
export class GroupTurns {
  /** Those with waiting jobs, by their virtual times. */
  readonly #ready: GroupOrder;
  /** Those without waiting jobs whose virtual time is ahead of the queue's. */
  readonly #idle: GroupOrder;
  /** Those with waiting jobs of which none may start, by when one may. */
  readonly #parked: GroupOrder;
  readonly #left: (group: KnownGroup) => void;
  /** The virtual time of the queue. */
  #time = 0;
  #hasBegun = false;

  /**
   * @param left receives each group that takes no part in the turns any more.
   * @param changed receives each group whose place in them changes.
   */
  constructor(left: (group: KnownGroup) => void, changed: (group: KnownGroup) => void) {
    this.#left = left;
    this.#ready = new GroupOrder(changed);
    this.#idle = new GroupOrder(changed);
    this.#parked = new GroupOrder(changed);
  }

  get shared(): SharedTurns {
    return { time: this.#time, hasBegun: this.#hasBegun };
  }

  turnOf(group: KnownGroup): TurnOfGroup {
    return {
      ready: this.#ready.placeOf(group),
      idle: this.#idle.placeOf(group),
      parked: this.#parked.placeOf(group),
    };
  }

  restore(group: KnownGroup, { ready, idle, parked }: TurnOfGroup): void {
    if (ready !== undefined) this.#ready.restore(group, ready);
    if (idle !== undefined) this.#idle.restore(group, idle);
    // JSON writes a time that is not known, Infinity, as null.
    if (parked !== undefined)
      this.#parked.restore(group, { ...parked, time: parked.time ?? Infinity });
  }

  restoreShared({ time, hasBegun }: SharedTurns): void {
    this.#time = time;
    this.#hasBegun = hasBegun;
  }

  get size(): number {
    return this.#ready.size + this.#idle.size + this.#parked.size;
  }

  /** Whether a group was ready since the last `reset`. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether the virtual time of the group matters. */
  has(group: KnownGroup): boolean {
    return this.#ready.has(group) || this.#parked.has(group) || this.#idle.has(group);
  }

  isReady(group: KnownGroup): boolean {
    return this.#ready.has(group);
  }

  /** The ready group whose turn it is. */
  first(): KnownGroup | undefined {
    return this.#ready.first();
  }

  /** Makes the group ready, unless it is ready or parked. */
  takePart(group: KnownGroup): void {
    if (this.#ready.has(group) || this.#parked.has(group)) return;
    const remembered = this.#idle.delete(group) ? group.virtualTime : undefined;
    this.#beReady(group, virtualStart(remembered, this.#time));
  }

  /** The group has no waiting job any more. */
  rest(group: KnownGroup): void {
    if (this.#ready.delete(group) || this.#parked.delete(group)) this.#beIdle(group);
  }

  /** @param until when (epoch ms) one of its jobs may start; Infinity unless that is known. */
  park(group: KnownGroup, until: number): void {
    this.#ready.delete(group);
    this.#parked.set(group, until);
  }

  /** Makes the group ready if it is parked. */
  unpark(group: KnownGroup): void {
    if (this.#parked.delete(group)) this.#beReadyAgain(group);
  }

  /** Makes the groups ready whose time to start a job has come. */
  unparkDue(now: number): void {
    for (const group of this.#parked.takeUntil(now)) this.#beReadyAgain(group);
  }

  /** In the order of their ids, as in the Redis store. */
  unparkAll(): void {
    const parked = [...this.#parked.takeUntil(Infinity)];
    for (const group of parked.sort((a, b) => byteOrder(a.id, b.id))) this.#beReadyAgain(group);
  }

  /** When (epoch ms) the next parked group may start a job, as far as is known. */
  nextAt(): number | undefined {
    const first = this.#parked.firstTime();
    return first !== undefined && Number.isFinite(first) ? first : undefined;
  }

  /**
   * A job of the group, which is ready, starts.
   *
   * @param hasMore whether other jobs of it wait.
   */
  start(
    group: KnownGroup,
    { cost, weight, hasMore }: { cost: number; weight: number; hasMore: boolean },
  ): void {
    this.#ready.delete(group);
    this.#time = group.virtualTime;
    for (const idle of this.#idle.takeUntil(this.#time)) this.#left(idle);
    group.virtualTime = virtualTimeAfter(group.virtualTime, cost, weight);
    if (hasMore) this.#beReady(group, group.virtualTime);
    else this.#beIdle(group);
  }

  /** Lets all groups begin anew. To be called while no job waits. */
  reset(): void {
    this.#time = 0;
    this.#hasBegun = false;
    this.#ready.clear();
    this.#idle.clear();
  }

  #beReady(group: KnownGroup, virtualTime: number): void {
    group.virtualTime = virtualTime;
    this.#hasBegun = true;
    this.#ready.set(group, virtualTime);
  }

  #beReadyAgain(group: KnownGroup): void {
    this.#beReady(group, virtualStart(group.virtualTime, this.#time));
  }

  #beIdle(group: KnownGroup): void {
    if (group.virtualTime <= this.#time) {
      this.#left(group);
      return;
    }
    this.#idle.set(group, group.virtualTime);
    const first = this.#idle.size > MOST_IDLE ? this.#idle.first() : undefined;
    if (first === undefined) return;
    this.#idle.delete(first);
    this.#left(first);
  }
}
