import type { ChildEnding } from '../../../../domain/flows/family.ts';
import { inFlowOrder, type FailureRule, type FlowChild } from '../../../../domain/flows/flow.ts';
import { MAX_TREE_VALUE, type FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ListedJob } from './listed-job.ts';
import type { StoredJob } from './stored-job.ts';

/** The parent of a job, and what the failure of the job does to it. */
export interface ParentLink {
  readonly queue: QueueName;
  readonly id: string;
  readonly onFailure: FailureRule;
}

/** A child as its parent knows it. The child may no longer exist. */
export interface Child {
  readonly queue: QueueName;
  readonly id: string;
  /** Its number among the children of the parent, in the order in which they were added. */
  readonly number: number;
  readonly onFailure: FailureRule;
  /** How it ended for its parent; undefined while the parent waits for it. */
  ending?: { readonly state: ChildEnding; readonly returnvalue: string };
}

/** A child as it is written. */
export type ChildRecord = Pick<Child, 'number' | 'onFailure' | 'ending'>;

/** The children of one job. */
export class Children {
  readonly #byKey = new Map<string, Child>();
  #waitsFor = 0;

  /** A child that has ended comes from a record. */
  add(child: Child): void {
    this.#byKey.set(keyOf(child.queue, child.id), child);
    if (child.ending === undefined) this.#waitsFor += 1;
  }

  /** A child as its record has it; undefined when the parent knows none of that name. */
  record(queue: QueueName, id: string): ChildRecord | undefined {
    const child = this.#byKey.get(keyOf(queue, id));
    if (child === undefined) return undefined;
    const { number, onFailure, ending } = child;
    return { number, onFailure, ...(ending && { ending }) };
  }

  /** In the order of their ids. */
  get all(): readonly Child[] {
    return inFlowOrder(this.known);
  }

  /** How many of them the parent waits for. */
  get waitsFor(): number {
    return this.#waitsFor;
  }

  /** In the order in which they were added. */
  get known(): readonly Child[] {
    return [...this.#byKey.values()];
  }

  /** Those that the parent waits for, in the order in which they were added. */
  *awaited(): Generator<Child> {
    for (const child of this.#byKey.values()) if (child.ending === undefined) yield child;
  }

  /** The child, if the parent waits for it. */
  waitedFor(queue: QueueName, id: string): Child | undefined {
    const child = this.#byKey.get(keyOf(queue, id));
    return child?.ending === undefined ? child : undefined;
  }

  end(child: Child, ending: NonNullable<Child['ending']>): void {
    child.ending = ending;
    this.#waitsFor -= 1;
  }

  /** A child that had ended starts over. */
  startOver(queue: QueueName, id: string): void {
    const child = this.#byKey.get(keyOf(queue, id));
    if (child?.ending === undefined) return;
    delete child.ending;
    this.#waitsFor += 1;
  }

  /** Removes the child: the parent no longer waits for it. */
  forget(child: Child): void {
    this.#byKey.delete(keyOf(child.queue, child.id));
    this.#waitsFor -= 1;
  }
}

/** The name of a queue has no colon. */
function keyOf(queue: QueueName, id: string): string {
  return `${queue}:${id}`;
}

/** @param job the child's own, if it still exists. */
export function shownChild(
  { queue, id, ending }: Child,
  job: (Pick<ListedJob, 'status'> & { readonly name?: string | undefined }) | undefined,
): FlowChild {
  const returnvalue = JSON.parse(ending?.returnvalue ?? 'null') as Json;
  return {
    queue,
    id,
    name: job?.name ?? null,
    state: ending?.state ?? job?.status ?? null,
    returnvalue,
  };
}

/** A child as a tree shows it. @param job the child's own, if it still exists. */
export function childNode({ queue, id, ending }: Child, job: StoredJob | undefined): FlowNode {
  const returned = ending?.returnvalue ?? 'null';
  if (job !== undefined) {
    const node = flowNode(queue, job, returned);
    return { ...node, state: ending?.state ?? node.state };
  }
  const state = ending?.state ?? null;
  return { queue, id, name: null, state, ...shownReturnvalue(returned), isParent: false };
}

/** A job as a tree shows it. @param returned its return value as JSON. */
export function flowNode(queue: QueueName, job: StoredJob, returned = job.returnvalue): FlowNode {
  const { id, name, data, opts, failedReason, children } = job;
  const { timestamp, processedOn, finishedOn } = job;
  return {
    queue,
    id,
    state: job.status ?? null,
    ...(isShown(name) && { name }),
    ...(isShown(data) && { data: JSON.parse(data) as Json }),
    ...(isShown(opts) && { opts: JSON.parse(opts) as JobOptions }),
    ...shownReturnvalue(returned),
    ...(failedReason !== undefined && isShown(failedReason) && { failedReason }),
    timestamp,
    ...(processedOn !== undefined && { processedOn }),
    ...(finishedOn !== undefined && { finishedOn }),
    isParent: children !== undefined,
  };
}

function shownReturnvalue(text: string): Pick<FlowNode, 'returnvalue'> {
  return isShown(text) ? { returnvalue: JSON.parse(text) as Json } : {};
}

function isShown(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_TREE_VALUE;
}
