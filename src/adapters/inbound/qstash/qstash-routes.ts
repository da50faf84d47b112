import type { OperationCatalogue } from '../../../application/operation-catalogue.ts';
import type { Handler, Routes } from './handlers/handler.ts';
import { groupRoutes } from './handlers/group-routes.ts';
import { messageRoutes } from './handlers/message-routes.ts';
import { publishRoutes } from './handlers/publish-routes.ts';
import { queueRoutes } from './handlers/queue-routes.ts';
import { scheduleRoutes } from './handlers/schedule-routes.ts';
import type { RawTarget } from './wire/raw-target.ts';

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
  readonly names: Readonly<Record<string, string>>;
}

/** Finds the route of a request; undefined when there is none. */
export function routeFinder(
  routes: Routes,
): (method: string, target: RawTarget) => FoundRoute | undefined {
  const patterns = Object.entries(routes).map(([route, handler]) => {
    const [method = '', path = ''] = route.split(' ');
    return { route, handler, method, parts: path.split('/') };
  });
  return (asked, { parts: given, destination }) => {
    for (const { route, handler, method, parts } of patterns) {
      if (method !== asked || parts.includes('*') !== (destination !== undefined)) continue;
      const names = namesIn(
        parts.filter((part) => part !== '*'),
        given,
      );
      if (names !== undefined) return { route, handler, names };
    }
    return undefined;
  };
}

/** The parts that a pattern names; undefined when the path is another one. */
function namesIn(
  pattern: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== given.length) return undefined;
  const isMatch = pattern.every((part, index) => part.startsWith(':') || part === given[index]);
  if (!isMatch) return undefined;
  const named = pattern.flatMap((part, index) =>
    part.startsWith(':') ? [[part.slice(1), given[index] ?? ''] as const] : [],
  );
  return named.some(([, value]) => value === '') ? undefined : Object.fromEntries(named);
}
