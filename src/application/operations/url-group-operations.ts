import { calledShownTo } from '../../domain/access/shown-urls.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { GroupEndpoint, RemovedEndpoint } from '../../domain/messages/url-group.ts';
import type { NamedUrlGroup, UrlGroups } from '../messages/url-groups.ts';
import { plainOperation } from './operation.ts';

interface OfGroup {
  readonly group: string;
}

interface OfEndpoints<Endpoint> extends OfGroup {
  readonly endpoints: readonly Endpoint[];
}

/** The terms of a change of a group. */
function changes(action: string, line: string) {
  const fields = (_: unknown, { group }: OfGroup) => ({ group });
  const hasChanged = (changed: unknown): boolean => changed !== false;
  const report = { line, fields, hasChanged };
  return { access: 'configure', action, needsAllQueues: true, report } as const;
}

/** URL groups, to which programs that speak QStash publish (further contract, section 24). */
export function urlGroupOperations(urlGroups: UrlGroups) {
  return {
    addUrlGroupEndpoints: plainOperation({
      ...changes('url-group.add', 'Endpoints added to a URL group'),
      perform: ({ group, endpoints }: OfEndpoints<GroupEndpoint>) =>
        urlGroups.addEndpoints(group, endpoints),
    }),
    removeUrlGroupEndpoints: plainOperation({
      ...changes('url-group.take', 'Endpoints removed from a URL group'),
      perform: ({ group, endpoints }: OfEndpoints<RemovedEndpoint>) =>
        urlGroups.removeEndpoints(group, endpoints),
    }),
    listUrlGroups: plainOperation({
      access: 'read',
      perform: () => urlGroups.list(),
      view: (groups, caller) => entitled(groups.map((group) => shown(group, caller))),
    }),
    readUrlGroup: plainOperation({
      access: 'read',
      perform: ({ group }: OfGroup) => urlGroups.read(group),
      view: (group, caller) => entitled(shown(group, caller)),
    }),
    removeUrlGroup: plainOperation({
      ...changes('url-group.remove', 'URL group removed'),
      perform: ({ group }: OfGroup) => urlGroups.remove(group),
    }),
  };
}

function shown({ endpoints, ...group }: NamedUrlGroup, caller: Caller): NamedUrlGroup {
  return { ...group, endpoints: endpoints.map((endpoint) => calledShownTo(caller, endpoint)) };
}
