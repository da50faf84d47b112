import { limitSettingsShape, MOST_LIMITS, type LimitSettings } from '../../domain/limits/limit.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import { ofShape, type Collection } from './collection.ts';

/** The limits that queues share, by their names. Stores read them in the steps that start jobs. */
export type KeptLimits = CollectionPort<LimitSettings>;

export const LIMITS: Collection<LimitSettings> = {
  kind: 'limit',
  key: 'limits',
  bound: { most: MOST_LIMITS, of: 'limits' },
  read: ofShape(limitSettingsShape, 'limit'),
};
