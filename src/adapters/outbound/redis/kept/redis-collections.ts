import { HOOK_STATES, type KeptHookStates } from '../../../../application/kept/hook-states.ts';
import { HOOKS, type KeptHooks } from '../../../../application/kept/hooks.ts';
import { KEY_CHECKS, type KeptKeyChecks } from '../../../../application/kept/key-checks.ts';
import { ALL_QUEUES, POLICIES, type KeptPolicies } from '../../../../application/kept/policies.ts';
import { WORKERS, type KeptWorkers } from '../../../../application/kept/workers.ts';
import { hookOfRecord } from '../../../../domain/hooks/hook-record.ts';
import { policyShape, type Policy } from '../../../../domain/policies/policy.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import type { WorkerShape } from '../../../../domain/workers/worker.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { RedisCollection } from './redis-collection.ts';
import { readWorkerRecord } from './worker-record.ts';

/** The collections of a store, under the names of their ports. */
export interface RedisCollections {
  readonly hooks: KeptHooks;
  readonly hookStates: KeptHookStates;
  readonly keyChecks: KeptKeyChecks;
  readonly policies: KeptPolicies;
  readonly workers: KeptWorkers;
}

/** @param workers where the workers are (WORKER_METADATA_KEY), and their shape. */
export function redisCollections(
  commands: StoreCommands,
  keys: QueueKeysCache,
  workers: { readonly key: string; readonly shape: WorkerShape },
): RedisCollections {
  const own = (name: string): string => ownKey(keys.prefix, name);
  return {
    hooks: new RedisCollection(commands, HOOKS, {
      key: own('hooks'),
      read: (id, text) => hookOfRecord(id, text) ?? 'The record is no hook',
    }),
    hookStates: new RedisCollection(commands, HOOK_STATES, { key: own('hook-states') }),
    keyChecks: new RedisCollection(commands, KEY_CHECKS, {
      key: own('encryption-keys'),
      read: (_, value) => ({ value }),
      write: ({ value }) => value,
    }),
    policies: new RedisCollection(commands, POLICIES, {
      key: own('policies'),
      read: (_, text) => policyOf(text) ?? 'The record is no policy',
      queueOf: (scope) => (scope === ALL_QUEUES ? undefined : keys.get(scope)),
    }),
    workers: new RedisCollection(commands, WORKERS, {
      key: workers.key,
      read: (queue, text) => readWorkerRecord(queue, text, workers.shape),
    }),
  };
}

function policyOf(text: string): Policy | undefined {
  const policy = parsedJson(text);
  return policyShape.accepts(policy) ? policy : undefined;
}
