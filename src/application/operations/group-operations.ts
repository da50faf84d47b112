import { groupSettingsShape } from '../../domain/groups/group-settings.ts';
import { groupShape } from '../../domain/groups/group.ts';
import { MOST_SORTED, GROUP_SORTS, GROUP_STATES } from '../../domain/groups/groups-query.ts';
import { holdOrderShape, heldShape } from '../../domain/queues/hold.ts';
import { namePatternShape } from '../../domain/queues/name-pattern.ts';
import { pageStart, pageLength } from '../../domain/values/page.ts';
import { optional, oneOf } from '../../domain/values/shape.ts';
import { stopOrderShape } from '../../domain/values/stop.ts';
import { type Groups, groupsPageShape } from '../groups/groups.ts';
import { ofQueue } from './in-queue.ts';
import { place, withOptionalOrder, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { wholeNumber, textOption, previewable } from './options.ts';
import { answers, done } from './out.ts';

/** The most groups on a page, unless a client asks for fewer. */
const GROUPS_PER_PAGE = 1000;

const ofGroup = { ...ofQueue, group: place() };

/** The groups of the jobs of a queue. */
export function groupOperations(groups: Groups) {
  const fields = (_: unknown, { group }: { readonly group: string }) => ({ group });
  return {
    listGroups: operation({
      access: 'read',
      summary: 'List the groups of a queue that have jobs or settings',
      description:
        'Each has what waits and runs, its part of the latest starts, and why none of its jobs ' +
        'starts. The jobs without a group are one of their own.',
      in: {
        ...ofQueue,
        start: wholeNumber(
          pageStart,
          0,
          `How many groups to skip; with length, it reaches at most ${MOST_SORTED} unless sort is id`,
        ),
        length: wholeNumber(pageLength, GROUPS_PER_PAGE, 'Most groups to return'),
        sort: textOption(
          optional(
            oneOf(...GROUP_SORTS),
            'The order of the groups: ids from the first, numbers from the largest',
          ),
        ),
        state: textOption(optional(oneOf(...GROUP_STATES), 'Only groups of that state')),
        id: textOption(optional(namePatternShape, 'Which groups; `*` stands for any characters')),
      },
      out: answers(groupsPageShape, 'The groups'),
      perform: ({ queue, sort = 'id', ...query }, { gone }) =>
        groups.list(queue, { ...query, sort }, gone()),
    }),
    readGroup: operation({
      access: 'read',
      summary: 'Read a group of a queue',
      description: 'Counts, limits in force by its own settings, and why none of its jobs starts.',
      in: ofGroup,
      out: answers(groupShape, 'The group'),
      errors: ['group-not-found'],
      perform: ({ queue, group }) => groups.read(queue, group),
    }),
    saveGroup: operation({
      access: 'configure',
      action: 'group.save',
      summary: 'Set the limits and the weight of a group, in place of any others',
      description:
        'A field that is not given is as for all groups of the queue. Jobs that run already go on.',
      in: { ...ofGroup, ...previewable, ...withOrder(groupSettingsShape, 'the settings') },
      out: answers(groupShape, 'The group'),
      errors: ['too-many-groups'],
      perform: ({ queue, group, order, dryRun }) =>
        dryRun ? groups.preview(queue, group, order) : groups.save(queue, group, order),
      report: { line: 'Settings of a group stored', fields },
    }),
    removeGroup: operation({
      access: 'configure',
      action: 'group.remove',
      summary: 'Remove the settings of a group; its jobs stay',
      description: 'The terms of all groups of the queue apply to it then.',
      in: ofGroup,
      out: done('The settings are removed'),
      errors: ['group-not-found'],
      perform: ({ queue, group }) => groups.remove(queue, group),
      report: { line: 'Settings of a group removed', fields },
    }),
    pauseGroup: operation({
      access: 'operate',
      action: 'group.pause',
      summary: 'Pause a group: no job of it starts, and running calls continue',
      description:
        'Other groups of the queue take its turns. It holds over all replicas, until the group is ' +
        'resumed.',
      in: { ...ofGroup, ...withOptionalOrder(stopOrderShape, 'a reason') },
      out: done('The group is paused'),
      errors: ['too-many-groups'],
      perform: ({ queue, group, order }, { caller }) => groups.pause(queue, group, order, caller),
      report: { line: 'Group paused', fields },
    }),
    resumeGroup: operation({
      access: 'operate',
      action: 'group.resume',
      summary: 'Resume a paused group',
      description: 'It takes its turn again, without those that it missed.',
      in: ofGroup,
      out: done('The group is not paused'),
      perform: ({ queue, group }) => groups.resume(queue, group),
      report: { line: 'Group resumed', fields },
    }),
    holdGroup: operation({
      access: 'operate',
      action: 'group.hold',
      summary:
        'Hold a group: no job of it starts for a time; of several holds the latest end counts',
      description: 'A hold is a pause that ends by itself. Other groups of the queue go on.',
      in: { ...ofGroup, ...withOrder(holdOrderShape, 'for how long') },
      out: answers(heldShape, 'The group is held'),
      errors: ['too-many-groups'],
      perform: async ({ queue, group, order }, { caller }) => ({
        until: await groups.hold(queue, group, order, caller),
      }),
      report: { line: 'Group held', fields: ({ until }, { group }) => ({ group, until }) },
    }),
    endHoldOfGroup: operation({
      access: 'operate',
      action: 'group.end-hold',
      summary: 'End the hold of a group, whether a client or its endpoint began it',
      description: 'Its jobs start again in its turn, unless the group is paused too.',
      in: ofGroup,
      out: done('The group is not held'),
      perform: ({ queue, group }) => groups.endHold(queue, group),
      report: { line: 'Hold of a group ended', fields },
    }),
  };
}
