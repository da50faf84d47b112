import { MAX_TREE_VALUE, type FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { ReadChild } from './child-reading.ts';

/** A child as a tree shows it. @param job the child's own, if it still exists. */
export function childNode({ child, returned }: ReadChild, job: JobRecord | undefined): FlowNode {
  const { queue, id, ending } = child;
  if (job !== undefined) {
    const node = flowNode(queue, job, returned);
    return { ...node, state: ending?.state ?? node.state };
  }
  const state = ending?.state ?? null;
  return { queue, id, name: null, state, ...shownReturnvalue(returned), isParent: false };
}

/** A job as a tree shows it. @param returned its return value as JSON; undefined for one that is too long. */
export function flowNode(queue: QueueName, job: JobRecord, returned: string | undefined): FlowNode {
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

function shownReturnvalue(text: string | undefined): Pick<FlowNode, 'returnvalue'> {
  return text !== undefined && isShown(text) ? { returnvalue: JSON.parse(text) as Json } : {};
}

function isShown(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_TREE_VALUE;
}
