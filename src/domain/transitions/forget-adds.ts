import type { Traces } from '../jobs/traces.ts';
import { isErased, type ErasureFilter } from '../jobs/erasure.ts';
import type { Json } from '../values/json.ts';
import { optionsOf } from '../records/job-record.ts';
import { namedJobs } from '../records/remembered-add.ts';
import type { QueueState } from './queue-state.ts';

/**
 * Forgets the remembered adds that name an erased job, and the jobs that wait for the end of an active one with their
 * deduplication id and match themselves. @returns how many.
 */
export function forgetAdds(queue: QueueState, traces: Traces, filter: ErasureFilter): number {
  const { adds, deduplications } = queue;
  let forgotten = 0;
  for (const key of traces.areIn(queue.name) ? [...adds.ids()] : []) {
    const { existing = [], origin } = adds.find(key) ?? {};
    const ids = Array.from(existing, ([at, { id }]) => [at, id] as const);
    if (!namedJobs(queue.name, ids, origin).some((job) => traces.isOfJob(...job))) continue;
    adds.remove(key);
    forgotten += 1;
  }
  for (const id of [...deduplications.ids()]) {
    const { successor, ...record } = deduplications.find(id) ?? {};
    if (successor === undefined) continue;
    const group = optionsOf(successor).group?.id;
    const data = JSON.parse(successor.data) as Json;
    if (!isErased(filter, { id: successor.id, data, ...(group !== undefined && { group }) }))
      continue;
    deduplications.put(id, record);
    forgotten += 1;
  }
  return forgotten;
}
