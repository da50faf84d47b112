import type { Failing } from '../figures/failing.ts';
import { object, required, oneOf, integer, type Shaped } from '../values/shape.ts';
import type { Blocked, BlockingReason } from './blocked.ts';

/** Why a queue needs the attention of an operator, the most severe reason first. */
export const ATTENTION_REASONS = [
  'disabled',
  'open',
  'no-worker',
  'paused',
  'children',
  'failing',
  'late',
] as const;

export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** That a queue needs attention. */
export const attentionShape = object('Attention', {
  reason: required(
    oneOf(...ATTENTION_REASONS),
    'The reason: that of `blocked`, `failing`, or `late` when jobs have waited for more than five minutes',
  ),
  severity: required(integer(1), 'From 1, the most severe'),
});

export type Attention = Shaped<typeof attentionShape>;

/** How long (ms) jobs must have waited before a pause or a limit matters, since both are intentional. */
const LATE = 300_000;
const LATE_IN_PAUSE = 600_000;

/** What decides whether a queue needs attention. */
export interface QueueCondition {
  readonly blocked: Blocked | null;
  readonly failing: Failing | null;
  /** How long (ms) the oldest job has been ready to start; null without one. */
  readonly oldestWaiting: number | null;
}

/** Why the queue needs attention; null if it does not. A queue that stands still is worse than one whose jobs fail. */
export function attentionOf({ blocked, failing, oldestWaiting }: QueueCondition): Attention | null {
  const reason =
    (blocked === null ? undefined : reasonOfBlock(blocked.reason, oldestWaiting ?? 0)) ??
    (failing === null ? undefined : 'failing');
  if (reason === undefined) return null;
  return { reason, severity: ATTENTION_REASONS.indexOf(reason) + 1 };
}

function reasonOfBlock(reason: BlockingReason, age: number): AttentionReason | undefined {
  if (reason === 'paused') return age > LATE_IN_PAUSE ? reason : undefined;
  const known = ATTENTION_REASONS.find((each) => each === reason);
  return known ?? (age > LATE ? 'late' : undefined);
}
