import type { FiguredQueue, QueueState } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { JOB_STATES } from './filters.ts';
import { fields, inOneLine } from '../output/fields.ts';
import { holderInWords } from '../output/holder.ts';
import { stopInWords } from '../output/stopped.ts';
import { coloured, colourOf } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { timeAndDistance } from '../output/times.ts';

/** The heads of states that are rare, and shown only when there are jobs in them. */
const RARE: Readonly<Record<string, string>> = {
  prioritized: 'PRIORITY',
  'waiting-children': 'CHILDREN',
};

function stateOf({ paused, blocked, worker, failing }: FiguredQueue): string {
  if (paused) return 'paused';
  // The state by which `GET /queues?state=closed` lists these queues.
  if (blocked !== null) return blocked.reason === 'window' ? 'closed' : blocked.reason;
  if (worker !== null && worker.state !== 'healthy') return worker.state;
  return failing === null ? '' : 'failing';
}

export const queueColumns: readonly Column<FiguredQueue>[] = [
  { head: 'QUEUE', cell: ({ name }) => name },
  ...JOB_STATES.map((state): Column<FiguredQueue> => ({
    head: RARE[state] ?? state.toUpperCase(),
    cell: ({ counts }) => counts[state],
    ...(state in RARE && { isOptional: true as const }),
    colour: ({ counts }) => (state === 'failed' && counts.failed > 0 ? 'red' : undefined),
  })),
  {
    head: 'OLDEST',
    cell: ({ oldestWaiting }) => (oldestWaiting === null ? '-' : elapsedInWords(oldestWaiting)),
  },
  {
    head: 'STATE',
    cell: (queue) => stateOf(queue),
    isOptional: true,
    colour: (queue) => (queue.attention === null ? (colourOf(stateOf(queue)) ?? 'yellow') : 'red'),
  },
  { head: 'WORKER', cell: ({ worker }) => worker?.url ?? '-', isCut: true },
];

/** All known fields of a queue. */
export function describedQueue(queue: QueueState): string {
  const { name, paused, counts, oldestWaiting, worker, blocked, heldUntil, heldBy, deadLetters } =
    queue;
  return fields([
    ['queue', name],
    ['paused', paused ? coloured('yes', 'yellow') : ''],
    ['paused by', stopInWords(queue.pause)],
    ['held until', heldUntil === null ? '' : timeAndDistance(heldUntil)],
    ['held by', heldBy === null ? '' : stopInWords(queue.hold) || holderInWords(heldBy)],
    ['window', queue.window === null ? '' : windowInWords(queue.window)],
    ['blocked', blocked === null ? '' : `${coloured(blocked.reason, 'yellow')}: ${blocked.detail}`],
    ...JOB_STATES.map((state) => {
      const count = counts[state];
      const text = coloured(String(count), count > 0 ? colourOf(state) : undefined);
      return [state, count === 0 && state in RARE ? '' : text] as const;
    }),
    ['suspended', queue.suspended === 0 ? '' : queue.suspended],
    ['dead letters', deadLetters == null ? '' : lettersInWords(deadLetters.from)],
    ['stuck parents', queue.stuckParents === 0 ? '' : queue.stuckParents],
    ['oldest waiting', oldestWaiting === null ? '' : elapsedInWords(oldestWaiting)],
    ['worker', worker ?? 'none'],
    ['concurrency', queue.concurrency],
    ['limiter', inOneLine(queue.limiter)],
    ['policy', inOneLine(queue.policy)],
  ]);
}

/** A token for some queues sees only these among those that send letters. */
function lettersInWords(from: readonly string[]): string {
  return from.length === 0 ? 'of other queues' : `of ${from.join(', ')}`;
}

function windowInWords({ open, changesAt }: NonNullable<QueueState['window']>): string {
  const state = open ? 'open' : coloured('closed', 'yellow');
  return changesAt === null ? state : `${state} until ${timeAndDistance(changesAt)}`;
}
