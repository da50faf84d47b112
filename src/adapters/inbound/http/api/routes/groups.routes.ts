import type { Groups } from '../../../../../application/groups/groups.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { holdAnswer } from '../schemas/answer-shapes.ts';
import { groupSettingsBody, holdBody } from '../schemas/body-formats.ts';
import { groupAnswer, groupsPageAnswer } from '../schemas/group-answers.ts';
import { groupsPageQuery } from '../schemas/query-schemas.ts';

/** The groups of the jobs of a queue. */
export function groupRoutes(groups: Groups): readonly Route[] {
  const ofGroups = { tag: 'Groups' } as const;
  return [
    route({
      ...ofGroups,
      method: 'GET',
      path: '/queues/:queue/groups',
      access: 'read',
      operationId: 'listGroups',
      summary: 'List the groups of a queue that have jobs or settings',
      description:
        'Each has what waits and runs, its part of the latest starts, and why none of its jobs ' +
        'starts. The jobs without a group are one of their own.',
      replies: { 200: jsonContent(groupsPageAnswer, 'The groups') },
      query: groupsPageQuery,
      handle: async ({ parameters: { queue }, query: { sort = 'id', ...query }, gone }) =>
        json(await groups.list(queue, { ...query, sort }, gone())),
    }),
    route({
      ...ofGroups,
      method: 'GET',
      path: '/queues/:queue/groups/:group',
      access: 'read',
      operationId: 'readGroup',
      summary: 'Read a group of a queue',
      description: 'Counts, limits in force by its own settings, and why none of its jobs starts.',
      replies: { 200: jsonContent(groupAnswer, 'The group') },
      errors: ['group-not-found'],
      handle: async ({ parameters: { queue, group } }) => json(await groups.read(queue, group)),
    }),
    route({
      ...ofGroups,
      method: 'PUT',
      path: '/queues/:queue/groups/:group',
      access: 'configure',
      operationId: 'saveGroup',
      action: 'group.save',
      summary: 'Set the limits and the weight of a group, in place of any others',
      description:
        'A field that is not given is as for all groups of the queue. Jobs that run already go on.',
      replies: { 200: jsonContent(groupAnswer, 'The group') },
      body: groupSettingsBody,
      errors: ['too-many-groups'],
      handle: async ({ parameters: { queue, group }, body }) => {
        const saved = await groups.save(queue, group, body);
        return { line: 'Settings of a group stored', fields: { group }, reply: json(saved) };
      },
    }),
    route({
      ...ofGroups,
      method: 'DELETE',
      path: '/queues/:queue/groups/:group',
      access: 'configure',
      operationId: 'removeGroup',
      action: 'group.remove',
      summary: 'Remove the settings of a group; its jobs stay',
      description: 'The terms of all groups of the queue apply to it then.',
      replies: { 200: okContent('The settings are removed') },
      errors: ['group-not-found'],
      handle: async ({ parameters: { queue, group } }) => {
        await groups.remove(queue, group);
        return { line: 'Settings of a group removed', fields: { group }, reply: OK };
      },
    }),
    route({
      ...ofGroups,
      method: 'POST',
      path: '/queues/:queue/groups/:group/pause',
      access: 'operate',
      operationId: 'pauseGroup',
      action: 'group.pause',
      summary: 'Pause a group: no job of it starts, and running calls continue',
      description:
        'Other groups of the queue take its turns. It holds over all replicas, until the group is ' +
        'resumed.',
      replies: { 200: okContent('The group is paused') },
      errors: ['too-many-groups'],
      handle: async ({ parameters: { queue, group } }) => {
        await groups.pause(queue, group);
        return { line: 'Group paused', fields: { group }, reply: OK };
      },
    }),
    route({
      ...ofGroups,
      method: 'POST',
      path: '/queues/:queue/groups/:group/resume',
      access: 'operate',
      operationId: 'resumeGroup',
      action: 'group.resume',
      summary: 'Resume a paused group',
      description: 'It takes its turn again, without those that it missed.',
      replies: { 200: okContent('The group is not paused') },
      handle: async ({ parameters: { queue, group } }) => {
        await groups.resume(queue, group);
        return { line: 'Group resumed', fields: { group }, reply: OK };
      },
    }),
    route({
      ...ofGroups,
      method: 'POST',
      path: '/queues/:queue/groups/:group/hold',
      access: 'operate',
      operationId: 'holdGroup',
      action: 'group.hold',
      summary:
        'Hold a group: no job of it starts for a time; of several holds the latest end counts',
      description: 'A hold is a pause that ends by itself. Other groups of the queue go on.',
      replies: { 200: jsonContent(holdAnswer, 'The group is held') },
      body: holdBody,
      errors: ['too-many-groups'],
      handle: async ({ parameters: { queue, group }, body }) => {
        const until = await groups.hold(queue, group, body);
        return { line: 'Group held', fields: { group, until }, reply: json({ until }) };
      },
    }),
    route({
      ...ofGroups,
      method: 'DELETE',
      path: '/queues/:queue/groups/:group/hold',
      access: 'operate',
      operationId: 'endHoldOfGroup',
      action: 'group.end-hold',
      summary: 'End the hold of a group, whether a client or its endpoint began it',
      description: 'Its jobs start again in its turn, unless the group is paused too.',
      replies: { 200: okContent('The group is not held') },
      handle: async ({ parameters: { queue, group } }) => {
        await groups.endHold(queue, group);
        return { line: 'Hold of a group ended', fields: { group }, reply: OK };
      },
    }),
  ];
}
