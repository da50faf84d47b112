import type { OpenBreaker } from '../attempts/breaker.ts';
import { latencyShape, percentiles } from '../calls/call-durations.ts';
import type { CallFigures } from '../calls/call-figures.ts';
import type { Hold } from '../queues/hold.ts';
import {
  nullable,
  integer,
  object,
  onlyTrue,
  optional,
  required,
  oneOf,
  time,
  type Members,
  type Shaped,
  string,
  boolean,
} from '../values/shape.ts';
import { without } from '../values/without.ts';
import { DEFAULT_CONCURRENCY } from './worker-options.ts';
import { stopOfWorker } from './worker-disabling.ts';
import type { Worker } from './worker.ts';

/** What prevents calls to a worker, if anything. */
export const WORKER_STATES = ['healthy', 'held', 'open', 'probing', 'disabled'] as const;

export type WorkerCondition = Pick<WorkerHealth, 'state' | 'since' | 'until' | 'reason' | 'by'>;

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
export function conditionOf(worker: Worker, { breaker, hold }: QueueTrouble): WorkerCondition {
  const { disabled } = worker;
  if (disabled !== undefined) {
    const by = stopOfWorker(worker)?.by;
    return { state: 'disabled', until: null, ...disabled, ...(by !== undefined && { by }) };
  }
  if (breaker !== undefined) {
    const { since, until = null, reason } = breaker;
    return { state: until === null ? 'probing' : 'open', since, until, reason };
  }
  if (hold !== undefined) {
    const { since, until, stop } = hold;
    const { by, reason = null } = stop ?? {};
    return { state: 'held', since, until, reason, ...(by !== undefined && { by }) };
  }
  return HEALTHY;
}

/** The health of a worker, and the recent figures of its calls. */
export const workerHealthFields = {
  state: required(oneOf(...WORKER_STATES), 'The reason why it is not called, if there is one'),
  since: required(
    nullable(time),
    'When that began, in milliseconds since 1970; null while it is healthy',
  ),
  until: required(
    nullable(time),
    'When that ends by itself, in milliseconds since 1970; null when that is unknown',
  ),
  reason: required(nullable(string), 'The reason; null without one'),
  by: optional(
    string,
    'The name of the token or person who disabled or held it; absent unless one did',
  ),
  calls: required(integer(0), 'How many recent calls there were'),
  failures: required(integer(0), 'How many of them failed'),
  lastStatus: required(
    nullable(integer(100)),
    'The status of the last answer; null when there was none',
  ),
  lastError: required(nullable(string), 'Why the last of the failed calls failed; null without'),
  latencyMs: required(
    latencyShape,
    'How long the calls took, in milliseconds; null without a call',
  ),
};

export type WorkerHealth = Members<typeof workerHealthFields>;

/** Beside the URL of a worker that has none. */
export const destinationsField = optional(
  onlyTrue,
  'Present where the worker has no URL of its own: each job names its destination',
);

/** A worker in the list of all, with its health. */
export const listedHealthShape = object('ListedHealth', {
  queue: required(string, 'The queue of the worker'),
  url: required(nullable(string), 'The URL of its endpoint; null without one of its own'),
  destinations: destinationsField,
  method: required(string, 'The method of its calls'),
  ...without(workerHealthFields, 'lastError'),
  concurrency: required(integer(1), 'Most calls at a time'),
  running: required(integer(0), 'How many attempts run, over all replicas'),
  signed: required(boolean, 'Whether its calls are signed'),
  registeredAt: required(
    nullable(time),
    'When it was registered, in milliseconds since 1970; null when that is unknown',
  ),
});

export type ListedHealth = Shaped<typeof listedHealthShape>;

export function listedHealth(worker: Worker, health: WorkerHealth, running: number): ListedHealth {
  const { queue, endpoint, opts, registeredAt } = worker;
  return {
    queue,
    url: endpoint.url,
    ...(endpoint.url === null && { destinations: true }),
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
