import type { Caller } from '../../domain/access/caller.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  type SettingName,
  type SettingSetChange,
  settingSetChangeShape,
  settingSetPageShape,
  settingsTotal,
} from '../../domain/policies/setting-set.ts';
import { object } from '../../domain/values/shape.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { SettingSets } from '../policies/setting-sets.ts';
import type { Subscriptions } from '../topics/subscriptions.ts';
import { place, withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { pageOf } from './options.ts';
import { answers } from './out.ts';

const ofSet = { set: place() };

type ChangeOfSet = { readonly order: SettingSetChange };

function* queuesOf({ order: { add = [], remove = [] } }: ChangeOfSet): Generator<string> {
  for (const { queue = '' } of [...add, ...remove]) if (queue !== '') yield queue;
}

interface SettingSetUseCases {
  readonly settingSets: SettingSets;
  readonly hooks: Pick<Hooks, 'isReached'>;
  readonly subscriptions: Pick<Subscriptions, 'isReached'>;
}

/**
 * A set must not reach beyond its owner: pruning removes its settings with the rights of the caller who prunes. A hook or a
 * subscription that is not there may leave a set, but enters none, since it may become that of somebody else.
 *
 * @throws DomainError `forbidden`.
 */
async function requireReach(
  { hooks, subscriptions }: SettingSetUseCases,
  caller: Caller,
  { add = [], remove = [] }: SettingSetChange,
): Promise<void> {
  if (caller.queues === null) return;
  const named: Partial<Record<SettingName['kind'], Pick<typeof hooks, 'isReached'>>> = {
    hook: hooks,
    topic: subscriptions,
  };
  for (const { kind, queue = '' } of [...add, ...remove]) {
    if (named[kind] === undefined && queue === '') caller.requireAllQueues();
  }
  const isBeyond = async (settings: readonly SettingName[], ifNone: boolean) => {
    for (const { kind, id = '' } of settings) {
      const among = named[kind];
      if (among !== undefined && !((await among.isReached(id, caller)) ?? ifNone)) return kind;
    }
    return undefined;
  };
  const beyond = (await isBeyond(add, false)) ?? (await isBeyond(remove, true));
  if (beyond === undefined) return;
  throw new DomainError('forbidden', `This token may not use all queues of the ${beyond}`);
}

const changedSettingSetAnswer = object('ChangedSettingSet', { total: settingsTotal });

/** Which settings clients keep in their files (reach contract, section 19). */
export function settingSetOperations(useCases: SettingSetUseCases) {
  const { settingSets: sets } = useCases;
  return {
    changeSettingSet: operation({
      access: 'configure',
      action: 'settings.change',
      summary: 'Change which settings belong to a set',
      description:
        'A set remembers which settings the files of a client have, for `jobgate apply --prune`. ' +
        'The settings themselves stay as they are, and need not exist.',
      in: { ...ofSet, ...withOptionalOrder(settingSetChangeShape, 'a change') },
      out: answers(changedSettingSetAnswer, 'How many settings the set has'),
      errors: ['too-many-settings'],
      queuesOf,
      perform: async ({ set, order }, { caller }) => {
        await requireReach(useCases, caller, order);
        return { total: await sets.change(set, order) };
      },
      report: {
        line: 'Set of settings changed',
        fields: ({ total }, { set }) => ({ set, total }),
        hasChanged: (_, { order: { add = [], remove = [] } }) => add.length + remove.length > 0,
      },
    }),
    readSettingSet: operation({
      access: 'read',
      summary: 'Read which settings belong to a set',
      description:
        'Settings of queues that the token may not use are left out of the pages, but are in `total`.',
      in: { ...ofSet, ...pageOf('settings', 100) },
      out: answers(settingSetPageShape, 'The settings, by kind, queue and id'),
      perform: ({ set, ...page }) => sets.list(set, page),
      view: ({ total, settings }, { onlyQueues }) => {
        const isSeen = ({ kind, queue }: SettingName): boolean =>
          onlyQueues === undefined ||
          (queue === undefined ? kind === 'hook' || kind === 'topic' : onlyQueues(queue));
        return { total, settings: settings.filter(isSeen) };
      },
    }),
  };
}
