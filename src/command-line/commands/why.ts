import type { QueueState } from 'jobgate-client';
import { timeAndDistance } from '../output/times.ts';

/** The remedy for each reason; none for reasons that end by themselves. */
const CURES: Readonly<Record<string, (queue: string) => string>> = {
  paused: (queue) => `jobgate resume ${queue} starts its jobs again.`,
  held: (queue) => `jobgate hold ${queue} --end ends the hold now.`,
  disabled: (queue) => `jobgate workers enable ${queue} calls the endpoint again.`,
  open: (queue) => `jobgate workers calls ${queue} shows how the latest calls failed.`,
  'no-worker': (queue) =>
    `jobgate workers register ${queue} <url> registers an endpoint; or start a pull worker.`,
  concurrency: (queue) => `jobgate jobs ${queue} --state active lists the running jobs.`,
  groups: (queue) => `jobgate groups list ${queue} --only blocked shows what blocks each group.`,
  delayed: (queue) => `jobgate promote ${queue} --all makes its delayed jobs start now.`,
};

/** Why no job of a queue starts, and what to do. */
export function reasonInWords({ name, blocked, counts }: QueueState): string {
  if (blocked === null) {
    const waiting = counts.waiting + counts.prioritized + counts.delayed > 0;
    return waiting ? `Nothing keeps jobs of ${name} from starting` : `${name} has no waiting jobs`;
  }
  const { detail, until, reason } = blocked;
  const end = until === undefined ? [] : [`Until ${timeAndDistance(until)}.`];
  const cure = CURES[reason]?.(name);
  return [`${detail}.`, ...end, ...(cure === undefined ? [] : [cure])].join('\n');
}
