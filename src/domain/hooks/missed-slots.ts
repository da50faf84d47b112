import type { QueueName } from '../queues/queue-name.ts';
import type { StoredScheduler } from '../schedulers/scheduler.ts';
import type { MissedMessage } from './hook-message.ts';

/** A slot whose job did not start in time. */
export interface MissedSlot {
  readonly queue: QueueName;
  readonly scheduler: string;
  /** Epoch ms. */
  readonly slot: number;
}

/** When the last job of a scheduler started and ended, epoch ms; absent if it did not, or if the job is gone. */
export interface LastRun {
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** Epoch ms. */
export interface LookTimes {
  readonly now: number;
  /** When the look before took place. */
  readonly before: number;
}

/**
 * The slot of a scheduler that was missed: the next one, when its job has not started in time, or the last one, when its
 * job should have started between two looks and started late. Slots of a paused scheduler do not count, nor do those
 * that are skipped because the job before has not ended.
 *
 * @param missed how long (ms) after its slot a job must have started.
 */
export function missedSlot(
  { overlap, paused, planned, last }: StoredScheduler,
  run: LastRun,
  missed: number,
  { now, before }: LookTimes,
): number | undefined {
  if (paused) return undefined;
  if (planned !== undefined && planned.slot + missed <= now) {
    const isOpen = last !== undefined && last.state !== null && isOpenAt(planned.slot, run);
    return overlap === 'skip' && isOpen ? undefined : planned.slot;
  }
  if (last === undefined) return undefined;
  const deadline = last.at + missed;
  if (deadline <= before || deadline > now) return undefined;
  // Of a job that is gone, no more is known than that nobody looked at its time.
  const isLate = run.startedAt === undefined ? last.at > before : run.startedAt > deadline;
  return isLate ? last.at : undefined;
}

function isOpenAt(time: number, { endedAt = Infinity }: LastRun): boolean {
  return endedAt > time;
}

/**
 * What follows from a look at the schedulers of a hook: a slot that is still missed is not reported again.
 *
 * @param found all slots that are missed now, or were since the last look.
 */
export function missedAfter(
  before: readonly MissedSlot[],
  found: readonly MissedSlot[],
  now: number,
): { readonly missed: readonly MissedSlot[]; readonly messages: readonly MissedMessage[] } {
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const missed: MissedSlot[] = [];
  const messages: MissedMessage[] = [];
  for (const slot of found) {
    const reported = known.get(keyOf(slot));
    missed.push(reported ?? slot);
    if (reported === undefined) {
      messages.push({ kind: 'missed', type: 'scheduler.missed', at: now, ...slot });
    }
  }
  return { missed, messages };
}

function keyOf({ queue, scheduler, slot }: MissedSlot): string {
  return JSON.stringify([queue, scheduler, slot]);
}
