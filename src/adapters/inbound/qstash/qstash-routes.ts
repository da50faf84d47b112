import type { OperationCatalogue } from '../../../application/operation-catalogue.ts';
import type { Routes } from './handlers/handler.ts';
import { groupRoutes } from './handlers/group-routes.ts';
import { messageRoutes } from './handlers/message-routes.ts';
import { publishRoutes } from './handlers/publish-routes.ts';
import { queueRoutes } from './handlers/queue-routes.ts';
import { scheduleRoutes } from './handlers/schedule-routes.ts';
import { targetReader } from './wire/raw-target.ts';

/** What the interface serves. */
export function qstashRoutes(operations: OperationCatalogue): Routes {
  return {
    ...publishRoutes(operations),
    ...messageRoutes(operations.pushedMessages),
    ...queueRoutes(operations.pushQueues),
    ...scheduleRoutes(operations),
    ...groupRoutes(operations),
  };
}

/** Returns a function that finds the first route that matches a request; it returns undefined when none does. */
export function routeFinder(routes: Routes) {
  const readers = Object.entries(routes).map(([route, handler]) => {
    return { route, handler, read: targetReader(route) };
  });
  /** @param asked see `targetReader`. */
  return (asked: string) => {
    for (const { route, handler, read } of readers) {
      const target = read(asked);
      if (target !== undefined) return { route, handler, target };
    }
    return undefined;
  };
}
