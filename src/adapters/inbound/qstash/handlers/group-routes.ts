import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { GroupEndpoint } from '../../../../domain/messages/url-group.ts';
import { orderOf } from '../fields/order-fields.ts';
import { performs, refuses, type QstashCall, type Routes } from './handler.ts';

type Operations = Pick<OperationCatalogue, 'urlGroups' | 'pushes'>;

/** URL groups, which are topics of QStash, and the keys that sign. */
export function groupRoutes({ urlGroups, pushes }: Operations): Routes {
  const groupOf = ({ names }: QstashCall) => ({ group: names['group'] ?? '' });
  // The use case checks the endpoints.
  const endpointsOf = (call: QstashCall) => ({
    ...groupOf(call),
    endpoints: orderOf(call)['endpoints'] as readonly GroupEndpoint[],
  });
  const { addUrlGroupEndpoints: add, removeUrlGroupEndpoints: remove } = urlGroups;
  const all = () => ({});
  return {
    'POST topics/:group/endpoints': performs(add, endpointsOf),
    'DELETE topics/:group/endpoints': performs(remove, endpointsOf),
    'GET topics': performs(urlGroups.listUrlGroups, all, (groups) => groups),
    'GET topics/:group': performs(urlGroups.readUrlGroup, groupOf, (group) => group),
    'DELETE topics/:group': performs(urlGroups.removeUrlGroup, groupOf),
    'GET keys': performs(pushes.readSigningKeys, all, (keys) => keys),
    'POST keys/rotate': refuses(
      'Set QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY to change the keys',
    ),
  };
}
