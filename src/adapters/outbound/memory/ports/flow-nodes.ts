import { MAX_TREE_VALUE, type FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Child } from '../../../../domain/records/child-record.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { Json } from '../../../../domain/values/json.ts';

/** A child as a tree shows it. @param job the child's own, if it still exists. */
export function childNode({ queue, id, ending }: Child, job: JobRecord | undefined): FlowNode {
  const returned = ending?.returnvalue ?? 'null';
  if (job !== undefined) {
    const node = flowNode(queue, job, returned);
    return { ...node, state: ending?.state ?? node.state };
  }
  const state = ending?.state ?? null;
  return { queue, id, name: null, state, ...shownReturnvalue(returned), isParent: false };
}

/** A job as a tree shows it. @param returned its return value as JSON. */
export function flowNode(queue: QueueName, job: JobRecord, returned = job.returnvalue): FlowNode {
  const { id, name, data, opts, failedReason } = job;
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
    isParent: job.isParent === true,
  };
}

function shownReturnvalue(text: string): Pick<FlowNode, 'returnvalue'> {
  return isShown(text) ? { returnvalue: JSON.parse(text) as Json } : {};
}

function isShown(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_TREE_VALUE;
}
