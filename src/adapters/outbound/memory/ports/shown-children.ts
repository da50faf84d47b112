import type { FlowChild } from '../../../../domain/flows/flow-child.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Child } from '../../../../domain/records/child-record.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** A child as its parent shows it, with what its own job says if that still exists. @param returned as JSON. */
export function shownChild(
  store: MemoryStore,
  { queue, id, ending }: Child,
  returned = 'null',
): FlowChild {
  const job = store.find(queue)?.jobs.find(id);
  return {
    queue,
    id,
    name: job?.name ?? null,
    state: ending?.state ?? job?.status ?? null,
    returnvalue: JSON.parse(returned) as Json,
  };
}

/** The first children of a job, as many as fit in `mostBytes` of JSON. Their return values have to be in memory. */
export function fittingChildren(
  store: MemoryStore,
  queue: QueueName,
  jobId: string,
  mostBytes: number,
): readonly FlowChild[] {
  const shown: FlowChild[] = [];
  let bytes = 2;
  for (const each of store.childrenOf(queue, jobId)) {
    if (bytes + (each.ending?.length ?? 0) > mostBytes) break;
    const child = shownChild(store, each, each.ending?.value);
    bytes += Buffer.byteLength(JSON.stringify(child)) + 1;
    if (bytes > mostBytes) break;
    shown.push(child);
  }
  return shown;
}
