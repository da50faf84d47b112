import type { Health } from '../../../../../application/health/health.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';

/** Probes: no token, and no opinion on query parameters that a prober may add. */
export function healthRoutes(health: Health): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/health/live',
      auth: 'none',
      query: 'ignored',
      handle: () => json({ status: 'up' }),
    }),
    route({
      method: 'GET',
      path: '/health/ready',
      auth: 'none',
      query: 'ignored',
      handle: async () => {
        const readiness = await health.readiness();
        if (readiness.ready) return json({ status: 'ready' });
        return json({ status: 'unavailable', reason: readiness.reason }, 503, {
          'Retry-After': '1',
        });
      },
    }),
  ];
}
