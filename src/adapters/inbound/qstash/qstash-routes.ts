import type { OperationCatalogue } from '../../../application/operation-catalogue.ts';
import type { Handler, Routes } from './handlers/handler.ts';
import { groupRoutes } from './handlers/group-routes.ts';
import { messageRoutes } from './handlers/message-routes.ts';
import { publishRoutes } from './handlers/publish-routes.ts';
import { queueRoutes } from './handlers/queue-routes.ts';
import { scheduleRoutes } from './handlers/schedule-routes.ts';
import { targetReader, type RawTarget } from './wire/raw-target.ts';

/** The operations behind the interface. */
export type QstashOperations = Pick<
  OperationCatalogue,
  'pushes' | 'pushedMessages' | 'pushQueues' | 'pushSchedules' | 'schedulers' | 'urlGroups'
>;

/** What the interface serves. */
export function qstashRoutes(operations: QstashOperations): Routes {
  return {
    ...publishRoutes(operations),
    ...messageRoutes(operations.pushedMessages),
    ...queueRoutes(operations.pushQueues),
    ...scheduleRoutes(operations),
    ...groupRoutes(operations),
  };
}

/** A route that a request asks for. */
export interface FoundRoute {
  /** The pattern with its method. */
  readonly route: string;
  readonly handler: Handler;
  readonly target: RawTarget;
}

/** Finds the first route of a request; undefined when there is none. @param asked see `targetReader`. */
export function routeFinder(routes: Routes): (asked: string) => FoundRoute | undefined {
  const readers = Object.entries(routes).map(([route, handler]) => {
    return { route, handler, read: targetReader(route) };
  });
  return (asked) => {
    for (const { route, handler, read } of readers) {
      const target = read(asked);
      if (target !== undefined) return { route, handler, target };
    }
    return undefined;
  };
}
