import { tooManyLimits } from '../../domain/errors.ts';
import { limitSettingsShape, MOST_LIMITS, type LimitSettings } from '../../domain/limits/limit.ts';
import { parsedJson } from '../../domain/values/json.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';

/** The limits that queues share, by their names. Stores read them in the steps that start jobs. */
export type KeptLimits = CollectionPort<LimitSettings>;

export const LIMITS: Collection<LimitSettings> = {
  kind: 'limit',
  key: 'limits',
  bound: { most: MOST_LIMITS, tooMany: tooManyLimits },
  read: (_, text) => {
    const limit = parsedJson(text);
    return limitSettingsShape.accepts(limit) ? limit : 'The record is no limit';
  },
};
