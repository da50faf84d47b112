import type { Natures } from '../ports/nature.ts';
import { collectionNatures, type CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';
import { HOOK_STATES } from './hook-states.ts';
import { HOOKS } from './hooks.ts';
import { KEY_CHECKS } from './key-checks.ts';
import { LIMITS } from './limits.ts';
import { POLICIES } from './policies.ts';
import { PUSH_KEYS } from './push-keys.ts';
import { SUBSCRIPTIONS } from './subscriptions.ts';
import { URL_GROUPS } from './url-groups.ts';
import { WORKERS } from './workers.ts';

/** The kinds of records that are kept until they are removed, except tokens, under the names of their ports. */
const COLLECTIONS = {
  hooks: HOOKS,
  hookStates: HOOK_STATES,
  policies: POLICIES,
  workers: WORKERS,
  keyChecks: KEY_CHECKS,
  limits: LIMITS,
  subscriptions: SUBSCRIPTIONS,
  urlGroups: URL_GROUPS,
  pushKeys: PUSH_KEYS,
};

type PortOfRow<Row> =
  Row extends Collection<infer Kept, infer Id> ? CollectionPort<Kept, Id> : never;

/** The ports of all collections of a store. */
export type CollectionPorts = {
  readonly [Name in keyof typeof COLLECTIONS]: PortOfRow<(typeof COLLECTIONS)[Name]>;
};

/** Makes something of each collection, under the name of its port. */
function mapCollections(map: (collection: Collection<object>) => unknown): object {
  const mapped = Object.entries(COLLECTIONS).map(([name, collection]) => [
    name,
    map(collection as Collection<object>),
  ]);
  return Object.fromEntries(mapped) as object;
}

/** The ports of a store that keeps all collections alike. */
export function collectionPorts(
  port: (collection: Collection<object>) => CollectionPort<object>,
): CollectionPorts {
  return mapCollections(port) as CollectionPorts;
}

export const COLLECTION_NATURES = mapCollections(({ put = 'enlarges' as const }) =>
  collectionNatures(put),
) as {
  readonly [Name in keyof CollectionPorts]: Natures<CollectionPorts[Name]>;
};
