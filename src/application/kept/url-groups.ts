import { tooManyUrlGroups } from '../../domain/errors.ts';
import { MOST_URL_GROUPS, urlGroupShape, type UrlGroup } from '../../domain/messages/url-group.ts';
import { parsedJson } from '../../domain/values/json.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';

/** The URL groups of the QStash interface, by their names. */
export type KeptUrlGroups = CollectionPort<UrlGroup>;

export const URL_GROUPS: Collection<UrlGroup> = {
  kind: 'url-group',
  key: 'url-groups',
  bound: { most: MOST_URL_GROUPS, tooMany: tooManyUrlGroups },
  read: (_, text) => {
    const group = parsedJson(text);
    return urlGroupShape.accepts(group) ? group : 'The record is no URL group';
  },
};
