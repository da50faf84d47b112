import { groupBlockedBy, type GroupGate } from '../../attempts/turns.ts';
import { NO_GROUP } from '../../groups/group-id.ts';
import { groupTerms, type GroupTerms } from '../../groups/group-settings.ts';
import type { BlockedGroup } from '../../groups/group.ts';
import { isOrdered } from '../../groups/ordered-jobs.ts';
import type { EndingCallOfGroup, GroupRecord } from '../../records/group-record.ts';
import { costOf, type IndexedJob, type ListedJob } from '../../records/job-record.ts';
import { dueAtOf, NEVER } from '../../steps/suspension.ts';
import type { GroupsState } from '../groups-state.ts';
import type { QueueState } from '../queue-state.ts';
import { ungrouped } from './waiting.ts';
import { unpark } from './turns.ts';

/** The settings in force for a group. Jobs without a group have none. */
export function termsOf({ groups }: QueueState, group: GroupRecord, now: number): GroupTerms {
  return group.id === NO_GROUP
    ? groupTerms(undefined, undefined, now)
    : groupTerms(groups.shared.defaults, group.settings, now);
}

/** How many jobs of each group run. */
export type Running = ReadonlyMap<string, number>;

/**
 * How many jobs of each group run, calls of cancelled ones among them. Counted from the running jobs each time, never kept
 * alongside them: once in a step, however many groups it looks at.
 */
export function runningByGroup({ groups, jobs }: QueueState, now: number): Running {
  const running = new Map<string, number>();
  const count = (id: string): void => {
    running.set(id, (running.get(id) ?? 0) + 1);
  };
  for (const { group } of jobs.in.active.fromLast()) if (group !== undefined) count(group.id);
  for (const { group, until } of groups.shared.endingCalls.values()) if (until > now) count(group);
  return running;
}

/** The calls of cancelled jobs of the group that may still run. */
export function endingCallsOf(
  { groups }: QueueState,
  id: string,
  now: number,
): readonly EndingCallOfGroup[] {
  const { endingCalls } = groups.shared;
  if (endingCalls.size === 0) return [];
  return [...endingCalls.values()].filter(({ group, until }) => group === id && until > now);
}

/** Why no job of the group may start. Nothing holds back jobs without a group. */
export function groupBlocked(
  queue: QueueState,
  group: GroupRecord,
  now: number,
  { terms = termsOf(queue, group, now), running }: { terms?: GroupTerms; running: number },
): BlockedGroup | undefined {
  if (group.id === NO_GROUP) return undefined;
  return groupBlockedBy(groupGate(queue, group, now, { terms, running }), terms, now);
}

/** What decides, apart from the turns, whether a job of the group may start. */
export function groupGate(
  { groups, jobs }: QueueState,
  group: GroupRecord,
  now: number,
  { terms, running }: { readonly terms: GroupTerms; readonly running: number },
): GroupGate {
  const { isPaused, failedJob, retriedJob } = group;
  const retried = retriedJob === undefined ? undefined : jobs.find(retriedJob);
  const rank = retried?.status === 'waiting-children' ? NEVER : (retried?.position?.rank ?? now);
  const { limiter } = terms;
  return {
    isPaused,
    heldUntil: groups.holds.timeOf(group),
    failedJob,
    retried: retried && { job: retried.id, dueAt: dueAtOf(rank) },
    running,
    earliestStart: limiter && groups.windowOf(group)?.earliest(limiter, nextCost(groups, group)),
  };
}

/** What the start of the next job of the group counts. */
export function nextCost(groups: GroupsState, { id }: GroupRecord): number {
  const known = groups.find(id);
  return costOf((known && groups.jobsOf(known).first()) ?? {});
}

/** Whether groups have waiting jobs and, as far as claims have found out, none of them may start one. */
export function areGroupsBlocked(queue: QueueState): boolean {
  const { parked, ready } = queue.groups;
  return parked.size > 0 && ready.size === 0 && ungrouped(queue) === 0;
}

/** Called when a job failed for good: it blocks its group where the order of groups says so. */
export function blockGroup({ groups }: QueueState, { id, group }: ListedJob): void {
  if (groups.shared.defaults?.ordered === 'block' && group !== undefined) {
    groups.write(groups.open(group.id), { failedJob: id });
  }
}

/** Called when a job continues after a delay: it holds its group where jobs are ordered. */
export function delayGroup({ groups }: QueueState, { id, group }: IndexedJob): void {
  if (group === undefined || !isOrdered(groups.shared.defaults)) return;
  groups.write(groups.open(group.id), { retriedJob: id });
}

/** Whether the job holds back the others of its group. */
export function isBlocking({ groups }: QueueState, job: ListedJob): boolean {
  const group = job.group && groups.find(job.group.id);
  return group !== undefined && (group.failedJob === job.id || group.retriedJob === job.id);
}

/** Notes that the call of a cancelled job still runs, until then (epoch ms) at the latest. */
export function callOfGroupEnds(
  { groups }: QueueState,
  token: string,
  { group }: IndexedJob,
  until: number,
): void {
  if (group === undefined) return;
  const endingCalls = new Map(groups.shared.endingCalls);
  groups.share({ endingCalls: endingCalls.set(token, { group: group.id, until }) });
}

/** Notes that the call of a cancelled job is over. */
export function callOfGroupEnded({ groups }: QueueState, token: string): void {
  const endingCalls = new Map(groups.shared.endingCalls);
  const call = endingCalls.get(token);
  if (call === undefined) return;
  endingCalls.delete(token);
  groups.share({ endingCalls });
  const group = groups.find(call.group);
  if (group === undefined) return;
  unpark(groups, group);
  groups.noteRoom(group);
}
