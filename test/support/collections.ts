import { memoryCollection } from '../../src/adapters/outbound/memory/ports/memory-collection.ts';
import { StoreRecords } from '../../src/adapters/outbound/memory/records/store-records.ts';
import { HOOKS, type KeptHooks } from '../../src/application/kept/hooks.ts';
import { KEY_CHECKS, type KeptKeyChecks } from '../../src/application/kept/key-checks.ts';
import { POLICIES, type KeptPolicies } from '../../src/application/kept/policies.ts';
import { SUBSCRIPTIONS, type KeptSubscriptions } from '../../src/application/kept/subscriptions.ts';
import { URL_GROUPS, type KeptUrlGroups } from '../../src/application/kept/url-groups.ts';
import { WORKERS, type KeptWorkers } from '../../src/application/kept/workers.ts';
import { MOST_WORKERS, type Worker } from '../../src/domain/workers/worker.ts';

/** Workers in memory. @param most how many there may be. */
export function workersInMemory(most = MOST_WORKERS): KeptWorkers {
  return memoryCollection(new StoreRecords(), {
    ...WORKERS,
    bound: { most, of: 'workers' },
  });
}

export function hooksInMemory(): KeptHooks {
  return memoryCollection(new StoreRecords(), HOOKS);
}

export function subscriptionsInMemory(): KeptSubscriptions {
  return memoryCollection(new StoreRecords(), SUBSCRIPTIONS);
}

/** Policies that create no queues. */
export function policiesInMemory(): KeptPolicies {
  return memoryCollection(new StoreRecords(), POLICIES);
}

export function keyChecksInMemory(): KeptKeyChecks {
  return memoryCollection(new StoreRecords(), KEY_CHECKS);
}

export function urlGroupsInMemory(): KeptUrlGroups {
  return memoryCollection(new StoreRecords(), URL_GROUPS);
}

/** Stores a worker in place of any other of its queue. */
export async function saveWorker(workers: Pick<KeptWorkers, 'put'>, worker: Worker): Promise<void> {
  await workers.put(worker.queue, () => worker);
}
