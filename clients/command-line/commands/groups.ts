import type { Group, GroupsPage } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { YES, type Command } from '../command.ts';
import { durationOf } from '../input/durations.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { fields, inOneLine } from '../output/fields.ts';
import { coloured } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { timeAndDistance } from '../output/times.ts';
import { PAGE, restOf } from './paging.ts';

const columns: readonly Column<Group>[] = [
  { head: 'GROUP', cell: ({ id }) => id || '(none)' },
  { head: 'ACTIVE', cell: ({ active }) => active },
  { head: 'WAITING', cell: ({ waiting }) => waiting },
  { head: 'DELAYED', cell: ({ delayed }) => delayed },
  {
    head: 'OLDEST',
    cell: ({ oldestWaiting }) => (oldestWaiting === null ? '-' : elapsedInWords(oldestWaiting)),
  },
  { head: 'SHARE', cell: ({ share }) => percent(share) },
  {
    head: 'BLOCKED',
    cell: ({ blocked }) => blocked?.reason ?? '',
    isOptional: true,
    colour: () => 'yellow',
  },
  { head: 'SETTINGS', cell: ({ settings }) => inOneLine(settings), isOptional: true, isCut: true },
];

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function described(queue: string, group: Group): string {
  const { id, blocked, oldestWaiting, heldUntil, settings } = group;
  const job = blocked?.job === undefined ? '' : ` (job ${blocked.job})`;
  return fields([
    ['queue', queue],
    ['group', id || '(none)'],
    ['active', group.active],
    ['waiting', group.waiting],
    ['delayed', group.delayed],
    ['oldest waiting', oldestWaiting === null ? '' : elapsedInWords(oldestWaiting)],
    ['share of starts', percent(group.share)],
    ['paused', group.paused ? 'yes' : ''],
    ['held until', heldUntil === null ? '' : timeAndDistance(heldUntil)],
    ['blocked', blocked === null ? '' : coloured(`${blocked.reason}${job}`, 'yellow')],
    ['until', blocked?.until === undefined ? '' : timeAndDistance(blocked.until)],
    ['settings', inOneLine(settings)],
  ]);
}

function pathOf(call: Invocation, end = ''): string {
  const [queue = '', group = ''] = call.names.map((name) => encodeURIComponent(name));
  return `/queues/${queue}/groups/${group}${end}`;
}

/** Parses `10/1s`, which means ten starts a second. @throws UsageError for another form. */
function limiterOf(call: Invocation): object | undefined {
  const text = call.text('limiter');
  if (text === undefined) return undefined;
  const [, max, every = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (max === undefined) throw new UsageError('--limiter must be written as 10/1s');
  return { max: Number(max), duration: durationOf('The duration of --limiter', every) };
}

function settingsOf(call: Invocation): object {
  const all = {
    concurrency: call.number('concurrency'),
    limiter: limiterOf(call),
    weight: call.number('weight'),
    maxWaiting: call.number('max-waiting'),
    expires: call.time('expires', 'ahead'),
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new UsageError('Give at least one setting: jobgate groups set -h');
  return Object.fromEntries(given);
}

function simply(action: 'pause' | 'resume', summary: string): Command {
  return {
    name: `groups ${action}`,
    takes: '<queue> <group>',
    count: [2, 2],
    summary,
    run: async (call) => {
      await call.requireQueue();
      await call.request('POST', pathOf(call, `/${action}`));
      const done = { group: call.name(1), paused: action === 'pause' };
      call.answer(done, () => `${call.name(1)} of ${call.queue} is ${action}d`);
    },
  };
}

export const groupCommands: readonly Command[] = [
  {
    name: 'groups list',
    takes: '<queue> [pattern]',
    count: [1, 2],
    summary:
      'list the groups of a queue that have jobs or settings: all, or those that match a pattern such as "acme*"',
    options: {
      sort: {
        value: 'column',
        meaning: 'sort by id, waiting, active or oldest; numbers in descending order',
        offered: ['id', 'waiting', 'active', 'oldest'],
      },
      only: {
        value: 'what',
        meaning: 'only blocked or paused groups',
        offered: ['blocked', 'paused'],
      },
      ...PAGE(100),
    },
    isWatchable: true,
    run: async (call) => {
      await call.requireQueue();
      const query = {
        id: call.names[1],
        sort: call.text('sort'),
        state: call.text('only'),
        start: call.number('skip'),
        length: call.number('limit') ?? 100,
      };
      const isFiltered = query.id !== undefined || query.state !== undefined;
      const path = `/queues/${encodeURIComponent(call.queue)}/groups`;
      const answer = await call.request<GroupsPage>('GET', path, {
        query,
      });
      call.answer(
        answer,
        ({ total, groups }) =>
          call.table(
            columns,
            groups,
            `${call.queue} has no ${isFiltered ? 'matching ' : ''}groups`,
          ) + restOf(groups.length, query.start ?? 0, total, 'groups'),
      );
    },
  },
  {
    name: 'groups show',
    takes: '<queue> <group>',
    count: [2, 2],
    summary: 'show a group: its jobs, share and settings, and what blocks it',
    isWatchable: true,
    run: async (call) => {
      const group = await call.request<Group>('GET', pathOf(call));
      call.answer(group, (each) => described(call.queue, each));
    },
  },
  {
    name: 'groups set',
    takes: '<queue> <group>',
    count: [2, 2],
    summary: 'replace the settings of a group',
    examples: [
      'groups set mail acme --concurrency 4 --weight 3',
      'groups set mail acme --limiter 10/1s',
    ],
    options: {
      concurrency: { value: 'n', meaning: 'maximum concurrent calls' },
      limiter: { value: 'n/duration', meaning: 'maximum starts per duration, such as 10/1s' },
      weight: {
        value: 'n',
        meaning: 'number of turns for each turn of other groups, up to 100 (1)',
      },
      'max-waiting': { value: 'n', meaning: 'maximum waiting jobs; further adds are refused' },
      expires: {
        value: 'time',
        meaning: 'when the settings expire: a time, or 7d for seven days from now',
      },
    },
    run: async (call) => {
      const group = await call.request<Group>('PUT', pathOf(call), { body: settingsOf(call) });
      call.answer(group, (each) => described(call.queue, each));
    },
  },
  {
    name: 'groups unset',
    takes: '<queue> <group>',
    count: [2, 2],
    summary: 'remove the settings of a group; its jobs stay',
    options: YES,
    run: async (call) => {
      const question = `Remove the settings of ${call.name(1)} of ${call.queue}?`;
      if (!(await call.isWanted(question))) return;
      await call.request('DELETE', pathOf(call));
      call.answer({ removed: call.name(1) }, () => `Removed the settings of ${call.name(1)}`);
    },
  },
  simply('pause', 'stop starting jobs of a group'),
  simply('resume', 'start jobs of a paused group again'),
  {
    name: 'groups hold',
    takes: '<queue> <group> [duration]',
    count: [2, 3],
    summary: 'stop starting jobs of a group for a while',
    options: { end: { meaning: 'end the hold now' } },
    run: async (call) => {
      const [, group = '', text] = call.names;
      if ((text === undefined) !== call.has('end')) {
        throw new UsageError('Give a duration such as 10m, or --end');
      }
      const ms = text === undefined ? 0 : durationOf('The time', text);
      await call.requireQueue();
      if (text === undefined) {
        await call.request('DELETE', pathOf(call, '/hold'));
        call.answer({ group, until: null }, () => `${group} of ${call.queue} is no longer held`);
        return;
      }
      const body = { for: ms };
      const { until } = await call.request<{ until: number }>('POST', pathOf(call, '/hold'), {
        body,
      });
      const shown = `${group} of ${call.queue} is held until ${timeAndDistance(until)}`;
      call.answer({ group, until }, () => shown);
    },
  },
];
