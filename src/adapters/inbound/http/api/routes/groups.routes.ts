import type { GroupOperations } from '../../../../../application/operations/group-operations.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { holdAnswer } from '../schemas/answer-shapes.ts';
import { groupSettingsBody, holdBody } from '../schemas/body-formats.ts';
import { groupAnswer, groupsPageAnswer } from '../schemas/group-answers.ts';
import { dryRunQuery, groupsPageQuery } from '../schemas/query-schemas.ts';

/** The groups of the jobs of a queue. */
export function groupRoutes(groups: GroupOperations): readonly Route[] {
  const ofGroups = { tag: 'Groups' } as const;
  return [
    route({
      ...ofGroups,
      method: 'GET',
      path: '/queues/:queue/groups',
      operation: groups.list,
      summary: 'List the groups of a queue that have jobs or settings',
      description:
        'Each has what waits and runs, its part of the latest starts, and why none of its jobs ' +
        'starts. The jobs without a group are one of their own.',
      replies: { 200: jsonContent(groupsPageAnswer, 'The groups') },
      query: groupsPageQuery,
    }),
    route({
      ...ofGroups,
      method: 'GET',
      path: '/queues/:queue/groups/:group',
      operation: groups.read,
      summary: 'Read a group of a queue',
      description: 'Counts, limits in force by its own settings, and why none of its jobs starts.',
      replies: { 200: jsonContent(groupAnswer, 'The group') },
      errors: ['group-not-found'],
    }),
    route({
      ...ofGroups,
      method: 'PUT',
      path: '/queues/:queue/groups/:group',
      operation: groups.save,
      summary: 'Set the limits and the weight of a group, in place of any others',
      description:
        'A field that is not given is as for all groups of the queue. Jobs that run already go on.',
      replies: { 200: jsonContent(groupAnswer, 'The group') },
      body: groupSettingsBody,
      query: dryRunQuery,
      errors: ['too-many-groups'],
    }),
    route({
      ...ofGroups,
      method: 'DELETE',
      path: '/queues/:queue/groups/:group',
      operation: groups.remove,
      summary: 'Remove the settings of a group; its jobs stay',
      description: 'The terms of all groups of the queue apply to it then.',
      replies: { 200: okContent('The settings are removed') },
      errors: ['group-not-found'],
    }),
    route({
      ...ofGroups,
      method: 'POST',
      path: '/queues/:queue/groups/:group/pause',
      operation: groups.pause,
      summary: 'Pause a group: no job of it starts, and running calls continue',
      description:
        'Other groups of the queue take its turns. It holds over all replicas, until the group is ' +
        'resumed.',
      replies: { 200: okContent('The group is paused') },
      errors: ['too-many-groups'],
    }),
    route({
      ...ofGroups,
      method: 'POST',
      path: '/queues/:queue/groups/:group/resume',
      operation: groups.resume,
      summary: 'Resume a paused group',
      description: 'It takes its turn again, without those that it missed.',
      replies: { 200: okContent('The group is not paused') },
    }),
    route({
      ...ofGroups,
      method: 'POST',
      path: '/queues/:queue/groups/:group/hold',
      operation: groups.hold,
      summary:
        'Hold a group: no job of it starts for a time; of several holds the latest end counts',
      description: 'A hold is a pause that ends by itself. Other groups of the queue go on.',
      replies: { 200: jsonContent(holdAnswer, 'The group is held') },
      body: holdBody,
      errors: ['too-many-groups'],
    }),
    route({
      ...ofGroups,
      method: 'DELETE',
      path: '/queues/:queue/groups/:group/hold',
      operation: groups.endHold,
      summary: 'End the hold of a group, whether a client or its endpoint began it',
      description: 'Its jobs start again in its turn, unless the group is paused too.',
      replies: { 200: okContent('The group is not held') },
    }),
  ];
}
