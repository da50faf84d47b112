import { percentiles, type Percentiles } from '../calls/call-durations.ts';
import type { OpenBreaker } from '../attempts/breaker.ts';
import type { Hold } from '../queues/hold.ts';
import { without } from '../values/without.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { DEFAULT_CONCURRENCY } from './worker-options.ts';
import type { Worker } from './worker.ts';
import type { CallFigures } from '../calls/call-figures.ts';

/** What prevents calls to a worker, if anything. */
export const WORKER_STATES = ['healthy', 'held', 'open', 'probing', 'disabled'] as const;

export interface WorkerCondition {
  readonly state: (typeof WORKER_STATES)[number];
  /** When this condition began (epoch ms); null while healthy. */
  readonly since: number | null;
  /** When it ends by itself (epoch ms); null if unknown. */
  readonly until: number | null;
  readonly reason: string | null;
}

const HEALTHY: WorkerCondition = {
  state: 'healthy',
  since: null,
  until: null,
  reason: null,
};

/** What prevents a queue from being processed, apart from its worker. */
export interface QueueTrouble {
  readonly breaker?: OpenBreaker | undefined;
  readonly hold?: Hold | undefined;
}

/** Of several conditions, the one that usually lasts longest. */
export function conditionOf(
  { disabled }: Worker,
  { breaker, hold }: QueueTrouble,
): WorkerCondition {
  if (disabled !== undefined) return { state: 'disabled', until: null, ...disabled };
  if (breaker !== undefined) {
    const { since, until = null, reason } = breaker;
    return { state: until === null ? 'probing' : 'open', since, until, reason };
  }
  if (hold !== undefined) {
    const { since, until } = hold;
    return { state: 'held', since, until, reason: null };
  }
  return HEALTHY;
}

/** The health of a worker, and the recent figures of its calls. */
export interface WorkerHealth extends WorkerCondition {
  readonly calls: number;
  readonly failures: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly latencyMs: Percentiles;
}

/** A worker in the list of all, with its health. */
export interface ListedHealth extends Omit<WorkerHealth, 'lastError'> {
  readonly queue: QueueName;
  readonly url: string;
  readonly method: string;
  readonly concurrency: number;
  /** How many attempts are running, across all replicas. */
  readonly running: number;
  /** Whether its calls are signed. */
  readonly signed: boolean;
  /** Epoch ms; null for a worker that an older version registered. */
  readonly registeredAt: number | null;
}

export function listedHealth(worker: Worker, health: WorkerHealth, running: number): ListedHealth {
  const { queue, endpoint, opts, registeredAt } = worker;
  return {
    queue,
    url: endpoint.url,
    method: endpoint.method,
    ...without(health, 'lastError'),
    concurrency: opts?.concurrency ?? DEFAULT_CONCURRENCY,
    running,
    signed: endpoint.signing === true,
    registeredAt: registeredAt ?? null,
  };
}

export function workerHealth(condition: WorkerCondition, figures: CallFigures): WorkerHealth {
  const { calls, failures, lastAnswer, lastFailure, durations } = figures;
  return {
    ...condition,
    calls,
    failures,
    lastStatus: lastAnswer?.status ?? null,
    lastError: lastFailure?.reason ?? null,
    latencyMs: percentiles(durations),
  };
}
