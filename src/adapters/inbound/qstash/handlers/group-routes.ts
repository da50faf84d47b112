import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import {
  groupEndpointsShape,
  removedEndpointsShape,
} from '../../../../domain/messages/url-group.ts';
import { checkShape } from '../../../../domain/values/check-shape.ts';
import { NotServedError } from '../wire/failure.ts';
import type { QstashCall, Routes } from './handler.ts';
import { orderOf } from './queue-routes.ts';

type Operations = Pick<OperationCatalogue, 'urlGroups' | 'pushes'>;

/** URL groups, which are topics of QStash, and the keys that sign. */
export function groupRoutes({ urlGroups, pushes }: Operations): Routes {
  const groupOf = ({ names }: QstashCall) => ({ group: names['group'] ?? '' });
  const done = { result: {} };
  return {
    'POST topics/:group/endpoints': async (call) => {
      const { endpoints } = orderOf(call);
      checkShape(groupEndpointsShape, endpoints, 'endpoints');
      await call.perform(urlGroups.addUrlGroupEndpoints, { ...groupOf(call), endpoints });
      return done;
    },
    'DELETE topics/:group/endpoints': async (call) => {
      const { endpoints } = orderOf(call);
      checkShape(removedEndpointsShape, endpoints, 'endpoints');
      await call.perform(urlGroups.removeUrlGroupEndpoints, { ...groupOf(call), endpoints });
      return done;
    },
    'GET topics': async (call) => ({ result: await call.perform(urlGroups.listUrlGroups, {}) }),
    'GET topics/:group': async (call) => ({
      result: await call.perform(urlGroups.readUrlGroup, groupOf(call)),
    }),
    'DELETE topics/:group': async (call) => {
      await call.perform(urlGroups.removeUrlGroup, groupOf(call));
      return done;
    },
    'GET keys': async (call) => ({ result: await call.perform(pushes.readSigningKeys, {}) }),
    'POST keys/rotate': () =>
      Promise.reject(
        new NotServedError(
          'Set QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY to change the keys',
        ),
      ),
  };
}
