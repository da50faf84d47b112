import { NO_GROUP } from '../groups/group-id.ts';
import type { GroupDefaults } from '../groups/group-settings.ts';
import type { LimitSettings } from '../limits/limit.ts';
import type { FlowControl } from './push.ts';

/*
 * All messages with a flow control key share a limit, whatever their queues are (further contract, section 24). In each
 * queue they are a group. Messages name the settings, of which the latest counts: they are kept for a while, and are
 * those of the next message where none are.
 */

/** Before the names of such limits: no client can name a limit so. */
export const FLOW_LIMIT = 'flow/';

/** The group of the messages of a queue that have no key. */
export const QUEUE_GROUP = 'queue';

/** How long (ms) the settings are kept after the key was last used, at least, and by what steps that is put off. */
export const [FLOW_KEPT, FLOW_STEP] = [3_600_000, 600_000];

/** After how long (ms) a group is looked at again whose queue alone waits at its limit: what frees room wakes it. */
export const LONGEST_FLOW_REST = 60_000;

/** The name of the limit of a group, without what separates names in stores. */
export function flowLimitOf(group: string): string {
  return FLOW_LIMIT + group.replaceAll(/[%,:\t-\r ]/g, encodeURIComponent);
}

/** The name of the limit that bounds a group of a queue; undefined for one that no such limit bounds. */
export function flowLimitIn(
  defaults: GroupDefaults | undefined,
  group = NO_GROUP,
): string | undefined {
  const isFlow = defaults?.hasFlows === true && group !== NO_GROUP && group !== QUEUE_GROUP;
  return isFlow ? flowLimitOf(group) : undefined;
}

/** The group of such a limit; undefined for any other limit. */
export function groupOfFlow(limit: string): string | undefined {
  const isFlow = limit.startsWith(FLOW_LIMIT);
  return isFlow ? decodeURIComponent(limit.slice(FLOW_LIMIT.length)) : undefined;
}

/** Until when (epoch ms) the settings are kept: longer than its limiter counts a start. */
export function flowExpiry({ limiter }: LimitSettings, usedAt: number): number {
  const until = usedAt + Math.max(FLOW_KEPT, 2 * (limiter?.duration ?? 0));
  return Math.ceil(until / FLOW_STEP) * FLOW_STEP;
}

export function flowSettings({ parallelism, rate, period = 1000 }: FlowControl): LimitSettings {
  return {
    ...(parallelism !== undefined && { concurrency: parallelism }),
    ...(rate !== undefined && { limiter: { max: rate, duration: period } }),
  };
}
