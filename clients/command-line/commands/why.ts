import type { Blocked, Job, QueueState } from 'jobgate-client';
import { shellWord } from '../../rules/shell-word.ts';
import { stoppedInWords } from '../../../src/domain/values/stop-in-words.ts';
import { lines } from '../output/fields.ts';
import { holderInWords } from '../output/holder.ts';
import { timeAndDistance } from '../output/times.ts';

/** What to do about each reason; nothing about reasons that end by themselves. */
const REMEDIES: Readonly<Record<string, (queue: string) => string>> = {
  paused: (queue) => `jobgate resume ${queue} starts its jobs again.`,
  held: (queue) => `jobgate hold ${queue} --end ends the hold now.`,
  disabled: (queue) => `jobgate workers enable ${queue} calls the endpoint again.`,
  open: (queue) => `jobgate workers calls ${queue} shows how the latest calls failed.`,
  children: (queue) => `jobgate jobs ${queue} --state waiting-children lists the jobs that wait.`,
  'no-worker': (queue) =>
    `jobgate workers register ${queue} <url> registers an endpoint; or start a pull worker.`,
  concurrency: (queue) => `jobgate jobs ${queue} --state active lists the running jobs.`,
  groups: (queue) => `jobgate groups list ${queue} --only blocked shows what blocks each group.`,
  window: (queue) => `Its policy has the window: jobgate policy show ${queue}.`,
  delayed: (queue) => `jobgate promote ${queue} --all makes its delayed jobs start now.`,
};

/** Why no job of a queue starts, and what to do. */
export function reasonInWords({
  name,
  blocked,
  counts,
  paused,
  heldUntil,
  heldBy,
  pause,
  hold,
  suspended,
}: QueueState): string {
  if (blocked !== null) {
    return explained(name, blocked, blocked.reason === 'delayed' ? inSteps(name, suspended) : '');
  }
  if (counts.waiting + counts.prioritized + counts.delayed > 0)
    return `Nothing keeps jobs of ${name} from starting`;
  const idle = 'and has no waiting jobs';
  if (paused) {
    const by = pause === undefined ? '' : ` ${stoppedInWords(pause)}`;
    return explained(name, { reason: 'paused', detail: `${name} is paused${by}, ${idle}` });
  }
  if (heldUntil === null || heldBy === null) return `${name} has no waiting jobs`;
  const by = hold === undefined ? `by ${holderInWords(heldBy)}` : stoppedInWords(hold);
  const detail = `${name} is held ${by}, ${idle}`;
  return explained(name, { reason: 'held', until: heldUntil, detail });
}

/** Empty without suspended jobs. Promoting all jobs would end their waits as timeouts do, so it is no remedy. */
function inSteps(queue: string, suspended: number): string {
  const wait = suspended === 1 ? 'waits' : 'wait';
  return suspended === 0
    ? ''
    : `${suspended} of its jobs ${wait} in a step: jobgate why ${shellWord(queue)} <job> tells for what.`;
}

/** Why a job does not start, and what to do. */
export function reasonOfJob(
  queue: string,
  { id, state, suspended }: Job,
  blocked: Blocked | null,
): string {
  if (blocked?.reason === 'suspended') {
    const [signal] = suspended?.signals ?? [];
    const name = shellWord(queue);
    const wakes = signal && `jobgate signal ${name} ${shellWord(signal)} wakes it; `;
    const ends = `jobgate promote ${name} ${shellWord(id)} ends its waits now.`;
    return explained(queue, blocked, (wakes ?? '') + ends);
  }
  if (blocked !== null) return explained(queue, blocked);
  const waits = state === 'waiting' || state === 'prioritized' || state === 'delayed';
  return waits
    ? `Nothing keeps job ${id} of ${queue} from starting: it starts in its turn`
    : `Job ${id} of ${queue} is ${state}`;
}

/** @param remedy the one for its reason when empty. */
function explained(queue: string, blocked: Blocked, remedy = ''): string {
  const { detail, until, reason } = blocked;
  const end = until === undefined ? undefined : `Until ${timeAndDistance(until)}.`;
  const usual = remedyFor(blocked) ?? REMEDIES[reason]?.(shellWord(queue));
  return lines(`${detail}.`, end, remedy || usual);
}

/** What to do about the job in the way. */
function remedyFor({ queue, id }: Blocked): string | undefined {
  if (queue === undefined || id === undefined) return undefined;
  const job = `${shellWord(queue)} ${shellWord(id)}`;
  return `jobgate show ${job} shows the job in the way; jobgate retry ${job} retries it if it failed.`;
}
