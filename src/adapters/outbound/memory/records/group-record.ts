import type { GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { GroupRecord, SharedGroups } from '../../../../domain/records/group-record.ts';
import type { Place, StoredGroupOrder } from '../state/group-order.ts';
import type { StoredGroup } from '../state/stored-group.ts';

/** One group as it is written, as far as its jobs do not show it. */
export interface WrittenGroup extends Omit<GroupRecord, 'id' | 'isPaused'> {
  readonly isPaused?: true;
  readonly settings?: GroupSettings | undefined;
  readonly ready?: Place | undefined;
  readonly idle?: Place | undefined;
  /** JSON writes a time that is not known, Infinity, as null. */
  readonly parked?: (Omit<Place, 'time'> & { readonly time: number | null }) | undefined;
  readonly hold?: Place | undefined;
  /** Its limiter: how many starts do not count any more, and by when the last one stops counting. */
  readonly window?: { readonly place: Place; readonly outdated: number } | undefined;
}

/** The record of the values that all groups of a queue share. */
export interface WrittenShared extends Omit<SharedGroups, 'endingCalls' | 'defaults'> {
  readonly defaults?: SharedGroups['defaults'];
  /** The last number that a place in a group has. */
  readonly places: number;
  readonly endingCalls: readonly (readonly [
    token: string,
    call: { readonly group: string; readonly until: number },
  ])[];
}

/** The orders of the groups of a queue. */
type GroupOrders = Readonly<
  Record<'ready' | 'idle' | 'parked' | 'holds' | 'windows', StoredGroupOrder>
>;

/** The record of a group as it is now, for JSON, which leaves out what is undefined. */
export function writtenGroup(group: StoredGroup, orders: GroupOrders): WrittenGroup {
  const { virtualTime, window, settings, isPaused, failedJob, retriedJob } = group;
  const { pausedBy, heldBy } = group;
  const place = orders.windows.placeOf(group);
  return {
    virtualTime,
    ready: orders.ready.placeOf(group),
    idle: orders.idle.placeOf(group),
    parked: orders.parked.placeOf(group),
    hold: orders.holds.placeOf(group),
    ...(window && place && { window: { place, outdated: window.dropped } }),
    settings,
    ...(isPaused && { isPaused }),
    pausedBy,
    heldBy,
    failedJob,
    retriedJob,
  };
}
