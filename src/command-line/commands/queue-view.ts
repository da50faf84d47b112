import { fields, inOneLine } from '../output/fields.ts';
import { coloured, colourOf, type Colour } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { duration, timeAndDistance } from '../output/times.ts';

export type Counts = Readonly<Record<string, number>>;

interface Blocked {
  readonly reason: string;
  readonly until?: number;
  readonly detail: string;
}

interface ShownQueue {
  readonly name: string;
  readonly paused: boolean;
  readonly counts: Counts;
  readonly oldestWaiting: number | null;
  readonly blocked: Blocked | null;
}

/** A queue of the list with figures. */
export interface ListedQueue extends ShownQueue {
  readonly worker: { readonly url: string; readonly state: string } | null;
  readonly rates: { readonly completed: number };
}

/** One queue as it is read alone. */
export interface QueueDetails extends ShownQueue {
  readonly worker: string | null;
  readonly concurrency: number | null;
  readonly limiter: object | null;
  readonly heldUntil: number | null;
  readonly policy: object | null;
  readonly stuckParents: number;
}

const STATES = [
  'active',
  'waiting',
  'prioritized',
  'delayed',
  'completed',
  'failed',
  'waiting-children',
] as const;

const HEADS: Readonly<Record<string, string>> = {
  prioritized: 'PRIORITY',
  'waiting-children': 'CHILDREN',
};
const ONLY_WHEN_THERE = ['prioritized', 'waiting-children'];

function stateOf({ paused, blocked, worker }: ListedQueue): string {
  if (paused) return 'paused';
  if (blocked !== null) return blocked.reason;
  return worker === null || worker.state === 'healthy' ? '' : worker.state;
}

export const queueColumns: readonly Column<ListedQueue>[] = [
  { head: 'QUEUE', cell: ({ name }) => name },
  ...STATES.map((state): Column<ListedQueue> => ({
    head: HEADS[state] ?? state.toUpperCase(),
    cell: ({ counts }) => counts[state] ?? 0,
    ...(ONLY_WHEN_THERE.includes(state) && { isOptional: true as const }),
    ...(state === 'failed' && {
      colour: ({ counts }: ListedQueue): Colour | undefined =>
        (counts['failed'] ?? 0) > 0 ? 'red' : undefined,
    }),
  })),
  {
    head: 'OLDEST',
    cell: ({ oldestWaiting }) => (oldestWaiting === null ? '-' : duration(oldestWaiting)),
  },
  {
    head: 'STATE',
    cell: (queue) => stateOf(queue),
    isOptional: true,
    colour: (queue) => colourOf(stateOf(queue)) ?? 'yellow',
  },
  { head: 'WORKER', cell: ({ worker }) => worker?.url ?? '-', isCut: true },
];

/** All that is known of a queue. */
export function describedQueue(queue: QueueDetails): string {
  const { name, paused, counts, oldestWaiting, worker, blocked, heldUntil } = queue;
  return fields([
    ['queue', name],
    ['paused', paused ? coloured('yes', 'yellow') : ''],
    ['held until', heldUntil === null ? '' : timeAndDistance(heldUntil)],
    ['blocked', blocked === null ? '' : `${coloured(blocked.reason, 'yellow')}: ${blocked.detail}`],
    ...STATES.map((state) => {
      const count = counts[state] ?? 0;
      const text = coloured(String(count), count > 0 ? colourOf(state) : undefined);
      return [state, count === 0 && ONLY_WHEN_THERE.includes(state) ? '' : text] as const;
    }),
    ['stuck parents', queue.stuckParents === 0 ? '' : queue.stuckParents],
    ['oldest waiting', oldestWaiting === null ? '' : duration(oldestWaiting)],
    ['worker', worker ?? 'none'],
    ['concurrency', queue.concurrency],
    ['limiter', inOneLine(queue.limiter)],
    ['policy', inOneLine(queue.policy)],
  ]);
}
