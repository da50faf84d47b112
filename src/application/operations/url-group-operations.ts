import { calledShownTo } from '../../domain/access/shown-urls.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { GroupEndpoint, RemovedEndpoint } from '../../domain/messages/url-group.ts';
import type { NamedUrlGroup, UrlGroups } from '../messages/url-groups.ts';
import { plainOperation } from './operation.ts';

interface OfGroup {
  readonly group: string;
}

interface AddInput extends OfGroup {
  readonly endpoints: readonly GroupEndpoint[];
}

interface RemoveInput extends OfGroup {
  readonly endpoints: readonly RemovedEndpoint[];
}

/** URL groups, to which programs that speak QStash publish (further contract, section 24). */
export function urlGroupOperations(urlGroups: UrlGroups) {
  return {
    addUrlGroupEndpoints: plainOperation({
      access: 'configure',
      action: 'url-group.add',
      needsAllQueues: true,
      perform: ({ group, endpoints }: AddInput) => urlGroups.addEndpoints(group, endpoints),
      report: { line: 'Endpoints added to a URL group', fields: (_, { group }) => ({ group }) },
    }),
    removeUrlGroupEndpoints: plainOperation({
      access: 'configure',
      action: 'url-group.take',
      needsAllQueues: true,
      perform: ({ group, endpoints }: RemoveInput) => urlGroups.removeEndpoints(group, endpoints),
      report: { line: 'Endpoints removed from a URL group', fields: (_, { group }) => ({ group }) },
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
      access: 'configure',
      action: 'url-group.remove',
      needsAllQueues: true,
      perform: ({ group }: OfGroup) => urlGroups.remove(group),
      report: { line: 'URL group removed', fields: (_, { group }) => ({ group }) },
    }),
  };
}

function shown({ endpoints, ...group }: NamedUrlGroup, caller: Caller): NamedUrlGroup {
  return { ...group, endpoints: endpoints.map((endpoint) => calledShownTo(caller, endpoint)) };
}
