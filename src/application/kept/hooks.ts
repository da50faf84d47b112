import { secretTexts, withSecretTexts } from '../../domain/calls/called-secrets.ts';
import { hookOfRecord } from '../../domain/hooks/hook-record.ts';
import { MOST_HOOKS, type Hook } from '../../domain/hooks/hook.ts';
import { unreadableReason } from '../../domain/values/secret-text.ts';
import { without } from '../../domain/values/without.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';
import type { SecretsOfCollection } from './record-secrets.ts';

/** The hooks, by their ids. */
export type KeptHooks = CollectionPort<Hook>;

export const HOOKS: Collection<Hook> = {
  kind: 'hook',
  key: 'hooks',
  bound: { most: MOST_HOOKS, of: 'hooks' },
  read: (id, text) => hookOfRecord(id, text) ?? 'The record is no hook',
};

/** The secrets of hooks. No queue has a name with a colon, so that no worker has their place. */
export const SECRETS_OF_HOOKS: SecretsOfCollection<Hook> = {
  all: (hook) => secretTexts(hook, ''),
  replaced: (hook, change) => withSecretTexts(hook, '', change),
  placeOf: ({ id, url }, field) => [`hook:${id}`, field, new URL(url).origin],
  marked: (hook, secret) => ({ ...hook, unreadable: unreadableReason(secret) }),
  unmarked: (hook) => (hook.unreadable === undefined ? undefined : without(hook, 'unreadable')),
};
