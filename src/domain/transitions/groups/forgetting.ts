import type { Traces } from '../../jobs/traces.ts';
import type { QueueState } from '../queue-state.ts';

/**
 * Forgets what is kept of groups without jobs that an erasure concerns: their place in the turns, the starts that their
 * limiters and their shares count. What somebody set for a group stays.
 */
export function forgetGroups({ name, groups }: QueueState, traces: Traces): void {
  const isMeant = (id: string): boolean => traces.isOfGroup(name, id);
  groups.forgetStarts(isMeant);
  for (const group of [...groups.all()]) {
    const { settings, isPaused, failedJob, retriedJob } = group;
    if (!isMeant(group.id) || groups.jobsOf(group).size > 0) continue;
    groups.idle.delete(group);
    if (groups.windows.delete(group)) groups.closeWindow(group);
    const isKept = [settings, failedJob, retriedJob].some((each) => each !== undefined);
    if (!isKept && !isPaused && !groups.holds.has(group)) groups.forget(group);
  }
}
