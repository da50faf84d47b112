import type { CollectionPort } from '../ports/collection-port.ts';
import type { PushKeyPair } from '../ports/push-format-port.ts';
import type { Collection } from './collection.ts';
import type { SecretsOfKind } from './record-secrets.ts';

/** The keys that sign pushed messages, where the configuration names none: one record, of the id `PUSH_KEYS_ID`. */
export type KeptPushKeys = CollectionPort<PushKeyPair>;

export const PUSH_KEYS_ID = 'qstash';

export const PUSH_KEYS: Collection<PushKeyPair> = { kind: 'push-keys', key: 'push-keys' };

const NAMES = ['current', 'next'] as const;

export const SECRETS_OF_PUSH_KEYS: SecretsOfKind<PushKeyPair> = {
  all: (pair) => NAMES.map((field) => ({ value: pair[field], field })),
  replaced: ({ current, next }, change) => ({
    current: change({ value: current, field: 'current' }),
    next: change({ value: next, field: 'next' }),
  }),
  placeOf: (_, field, id) => ['push-keys', id, field],
};
