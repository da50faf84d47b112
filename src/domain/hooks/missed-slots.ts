import type { QueueName } from '../queues/queue-name.ts';
import type { StoredScheduler } from '../schedulers/scheduler.ts';
import type { LateStart } from '../schedulers/slot.ts';
import type { MissedMessage } from './hook-message.ts';

/** A slot whose job did not start in time. */
export interface MissedSlot {
  readonly queue: QueueName;
  readonly scheduler: string;
  /** Epoch ms. */
  readonly slot: number;
}

/** Epoch ms. */
export interface LookTimes {
  readonly now: number;
  /** When the look before took place. */
  readonly before: number;
}

/**
 * The next slot of a scheduler, when its job has not started in time. Slots of a paused scheduler do not count, nor do
 * those that are skipped because the job before has not ended.
 *
 * @param lastEndedAt when its last job ended, epoch ms; Infinity while it has not, or once it is gone.
 * @param missed how long (ms) after its slot a job must have started.
 */
export function missedSlot(
  { overlap, paused, planned, last }: StoredScheduler,
  lastEndedAt: number,
  missed: number,
  now: number,
): number | undefined {
  if (paused || planned === undefined || planned.slot + missed > now) return undefined;
  const isOpen = last !== undefined && last.state !== null && lastEndedAt > planned.slot;
  return overlap === 'skip' && isOpen ? undefined : planned.slot;
}

/** Whether a job that started late, or never, should have started between two looks: none of them saw it wait for too long. */
export function wasMissed(
  { slot, startedAt = Infinity }: Pick<LateStart, 'slot'> & Partial<LateStart>,
  missed: number,
  { now, before }: LookTimes,
): boolean {
  const deadline = slot + missed;
  return deadline > before && deadline <= now && startedAt > deadline;
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

/** The same for the same slot. */
export function keyOf({ queue, scheduler, slot }: MissedSlot): string {
  return JSON.stringify([queue, scheduler, slot]);
}
