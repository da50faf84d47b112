import type { GroupSettings } from '../../domain/groups/group-settings.ts';
import type { HoldOrder } from '../../domain/queues/hold.ts';
import type { GroupsQuery } from '../../domain/groups/groups-query.ts';
import type { Groups } from '../groups/groups.ts';
import type { InQueue, Ordered, Previewable } from './in-queue.ts';
import { operation } from './operation.ts';

interface OfGroup extends InQueue {
  readonly group: string;
}

type SaveInput = OfGroup & Ordered<GroupSettings> & Previewable;

export interface GroupListInput extends InQueue, Omit<GroupsQuery, 'sort'> {
  readonly sort: GroupsQuery['sort'] | undefined;
}

/** The groups of the jobs of a queue. */
export function groupOperations(groups: Groups) {
  const fields = (_: unknown, { group }: OfGroup): { readonly group: string } => ({ group });
  return {
    list: operation({
      id: 'listGroups',
      access: 'read',
      perform: ({ queue, sort = 'id', ...query }: GroupListInput, { gone }) =>
        groups.list(queue, { ...query, sort }, gone()),
    }),
    read: operation({
      id: 'readGroup',
      access: 'read',
      perform: ({ queue, group }: OfGroup) => groups.read(queue, group),
    }),
    save: operation({
      id: 'saveGroup',
      access: 'configure',
      action: 'group.save',
      perform: ({ queue, group, order, dryRun }: SaveInput) =>
        dryRun ? groups.preview(queue, group, order) : groups.save(queue, group, order),
      report: {
        line: 'Settings of a group stored',
        fields,
        hasChanged: (_, { dryRun }: SaveInput) => !dryRun,
      },
    }),
    remove: operation({
      id: 'removeGroup',
      access: 'configure',
      action: 'group.remove',
      perform: ({ queue, group }: OfGroup) => groups.remove(queue, group),
      report: { line: 'Settings of a group removed', fields },
    }),
    pause: operation({
      id: 'pauseGroup',
      access: 'operate',
      action: 'group.pause',
      perform: ({ queue, group }: OfGroup) => groups.pause(queue, group),
      report: { line: 'Group paused', fields },
    }),
    resume: operation({
      id: 'resumeGroup',
      access: 'operate',
      action: 'group.resume',
      perform: ({ queue, group }: OfGroup) => groups.resume(queue, group),
      report: { line: 'Group resumed', fields },
    }),
    hold: operation({
      id: 'holdGroup',
      access: 'operate',
      action: 'group.hold',
      perform: async ({ queue, group, order }: OfGroup & Ordered<HoldOrder>) => ({
        until: await groups.hold(queue, group, order),
      }),
      report: { line: 'Group held', fields: ({ until }, { group }) => ({ group, until }) },
    }),
    endHold: operation({
      id: 'endHoldOfGroup',
      access: 'operate',
      action: 'group.end-hold',
      perform: ({ queue, group }: OfGroup) => groups.endHold(queue, group),
      report: { line: 'Hold of a group ended', fields },
    }),
  };
}

export type GroupOperations = ReturnType<typeof groupOperations>;
