import { ACCESS_TOKENS } from '../../../../application/kept/access-tokens.ts';
import type { Collection } from '../../../../application/kept/collection.ts';
import { collectionPorts, type CollectionPorts } from '../../../../application/kept/collections.ts';
import { WORKERS } from '../../../../application/kept/workers.ts';
import type { StorePorts } from '../../../../application/store-ports.ts';
import type { WorkerShape } from '../../../../domain/workers/worker.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { RedisCollection } from './redis-collection.ts';
import { readWorkerRecord } from './worker-record.ts';

/** @param workers where the workers are (WORKER_METADATA_KEY), and their shape. */
export function redisCollections(
  commands: StoreCommands,
  keys: QueueKeysCache,
  { key, shape }: { readonly key: string; readonly shape: WorkerShape },
): CollectionPorts & Pick<StorePorts, 'accessTokens'> {
  const workers: typeof WORKERS = {
    ...WORKERS,
    read: (queue, text) => readWorkerRecord(queue, text, shape),
  };
  const kept = <Kept extends object>(each: Collection<Kept>): RedisCollection<Kept> =>
    new RedisCollection(commands, keys, each, ownKey(keys.prefix, each.key));
  return {
    ...collectionPorts(kept),
    accessTokens: kept(ACCESS_TOKENS),
    workers: new RedisCollection(commands, keys, workers, key),
  };
}
