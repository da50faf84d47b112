import type { Workers } from '../../../../../application/workers/workers.ts';
import type { QueueNameLimits } from '../../../../../domain/queue-name.ts';
import { json, OK } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { workerBody } from '../schemas/body-formats.ts';

/** Specification, "Worker endpoints". */
export function workerRoutes(workers: Workers, limits: QueueNameLimits): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/workers',
      auth: 'api',
      body: workerBody(limits),
      handle: async ({ body }) => {
        await workers.register(body);
        return OK;
      },
    }),
    route({
      method: 'GET',
      path: '/workers',
      auth: 'api',
      handle: async () => json(Object.fromEntries(await workers.list())),
    }),
    route({
      method: 'GET',
      path: '/workers/:queue',
      auth: 'api',
      handle: async ({ parameters }) => json(await workers.read(parameters.queue)),
    }),
    route({
      method: 'DELETE',
      path: '/workers/:queue',
      auth: 'api',
      handle: async ({ parameters }) => {
        await workers.remove(parameters.queue);
        return OK;
      },
    }),
  ];
}
