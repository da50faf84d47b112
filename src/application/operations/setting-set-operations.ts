import type { SettingName, SettingSetChange } from '../../domain/policies/setting-set.ts';
import type { Page } from '../../domain/values/page.ts';
import type { SettingSets } from '../policies/setting-sets.ts';
import type { Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

interface OfSet {
  readonly set: string;
}

type ChangeOfSet = OfSet & Ordered<SettingSetChange>;

function* queuesOf({ order: { add = [], remove = [] } }: ChangeOfSet): Generator<string> {
  for (const { queue } of [...add, ...remove]) if (queue !== undefined) yield queue;
}

/** Which settings clients keep in their files (reach contract, section 19). */
export function settingSetOperations(sets: SettingSets) {
  return {
    change: operation({
      id: 'changeSettingSet',
      access: 'configure',
      action: 'settings.change',
      queuesOf,
      perform: async ({ set, order }: ChangeOfSet) => ({
        total: await sets.change(set, order),
      }),
      report: {
        line: 'Set of settings changed',
        fields: ({ total }, { set }) => ({ set, total }),
        hasChanged: (_, { order: { add = [], remove = [] } }) => add.length + remove.length > 0,
      },
    }),
    read: operation({
      id: 'readSettingSet',
      access: 'read',
      perform: ({ set, ...page }: OfSet & Page) => sets.list(set, page),
      view: ({ total, settings }, { onlyQueues }) => {
        const isSeen = ({ queue }: SettingName): boolean =>
          queue === undefined || onlyQueues === undefined || onlyQueues(queue);
        return { total, settings: settings.filter(isSeen) };
      },
    }),
  };
}

export type SettingSetOperations = ReturnType<typeof settingSetOperations>;
