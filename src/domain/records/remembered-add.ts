import type { FlowOrigin } from '../flows/flow.ts';
import { REMEMBERED_FOR, REMEMBERED_PIECE } from '../jobs/add-identity.ts';
import type { PolicyDefaults } from '../policies/policy.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { Json } from '../values/json.ts';

/** A job that existed before the add. */
export interface RememberedJob {
  readonly id: string;
  readonly isDeduplicated: boolean;
}

/** An add as a queue remembers it. */
export interface RememberedAdd {
  /** The digest of its body. */
  readonly body: string;
  /** The defaults that its jobs were created with. */
  readonly defaults: PolicyDefaults;
  /** When the add was made, epoch milliseconds. */
  readonly timestamp: number;
  /** The first id that the queue gave to a job without an id of its own. */
  readonly firstId: number;
  /** The jobs that had existed, by their position in the add. */
  readonly existing: ReadonlyMap<number, RememberedJob>;
  /** Present if the add was a flow, whose first job is in the queue. Then `defaults` and `existing` are empty. */
  readonly flow?: FlowOrigin;
  /** Present if it was to several queues: what its caller keeps of it. Then `defaults` is empty. */
  readonly origin?: Json;
  /** Present if it was a signal: how many jobs it woke. Then `defaults` and `existing` are empty. */
  readonly woken?: number;
}

/** What the caller of an add to several queues keeps of it. */
export interface AddOrigin {
  /** The jobs, each with what it is for. */
  readonly jobs: readonly (readonly [at: number, of: string, queue: string, id: string])[];
}

/** The jobs that an add to a queue, or to several, names beside those that follow from it. */
export function namedJobs(
  queue: QueueName,
  existing: Iterable<readonly [position: number, id: string]>,
  origin: Json | undefined,
): readonly (readonly [queue: string, id: string])[] {
  const { jobs = [] } = (origin ?? {}) as Partial<AddOrigin>;
  const found = Array.from(existing, ([at, id]) => [jobs[at]?.[2] ?? queue, id] as const);
  return [...found, ...jobs.map(([, , of, id]) => [of, id] as const)];
}

export function isForgotten({ timestamp }: RememberedAdd, now: number): boolean {
  return timestamp + REMEMBERED_FOR <= now;
}

/** In how many pieces of REMEMBERED_PIECE an add counts. */
export function piecesOfAdd({ body, defaults, existing, flow, origin }: RememberedAdd): number {
  let size = body.length + JSON.stringify(flow ?? origin ?? defaults).length;
  for (const { id } of existing.values()) size += id.length;
  return Math.ceil(size / REMEMBERED_PIECE);
}
