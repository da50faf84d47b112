import { MOST_URL_GROUPS, urlGroupShape, type UrlGroup } from '../../domain/messages/url-group.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import { ofShape, type Collection } from './collection.ts';

/** The URL groups of the QStash interface, by their names. */
export type KeptUrlGroups = CollectionPort<UrlGroup>;

export const URL_GROUPS: Collection<UrlGroup> = {
  kind: 'url-group',
  key: 'url-groups',
  bound: { most: MOST_URL_GROUPS, of: 'url-groups' },
  read: ofShape(urlGroupShape, 'URL group'),
};
