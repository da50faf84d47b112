import type { Group } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { asking, removing } from '../asking.ts';
import { oneOf, type Declaration } from '../command.ts';
import { durationOf } from '../input/durations.ts';
import { UsageError } from '../input/usage-error.ts';
import { someGiven } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { fields, inOneLine } from '../output/fields.ts';
import { coloured } from '../output/marks.ts';
import { stopInWords } from '../output/stopped.ts';
import type { Column } from '../output/table.ts';
import { timeAndDistance } from '../output/times.ts';
import { holding, pausing } from './holding.ts';
import { listing } from './paging.ts';

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
    ['paused by', stopInWords(group.pause)],
    ['held until', heldUntil === null ? '' : timeAndDistance(heldUntil)],
    ['held by', stopInWords(group.hold)],
    ['blocked', blocked === null ? '' : coloured(`${blocked.reason}${job}`, 'yellow')],
    ['until', blocked?.until === undefined ? '' : timeAndDistance(blocked.until)],
    ['settings', inOneLine(settings)],
  ]);
}

/** Parses `10/1s`, which means ten starts a second. @throws UsageError for another form. */
export function limiterOf(call: Invocation): object | undefined {
  const text = call.text('limiter');
  if (text === undefined) return undefined;
  const [, max, every = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (max === undefined) throw new UsageError('--limiter must be written as 10/1s');
  return { max: Number(max), duration: durationOf('The duration of --limiter', every) };
}

function settingsOf(call: Invocation): object {
  const settings = {
    concurrency: call.number('concurrency'),
    limiter: limiterOf(call),
    weight: call.number('weight'),
    maxWaiting: call.number('max-waiting'),
    expires: call.time('expires', 'ahead'),
  };
  return someGiven(settings, 'setting', 'groups set');
}

const shows = (group: Group, call: Invocation): string => described(call.queue, group);

export const groupCommands: readonly Declaration[] = [
  listing({
    usage: 'groups list <queue> [pattern]',
    summary:
      'list the groups of a queue that have jobs or settings: all, or those that match a pattern such as "acme*"',
    options: {
      'sort <column>': oneOf(
        ['id', 'waiting', 'active', 'oldest'],
        (any) => `sort by ${any}; numbers in descending order`,
      ),
      'only <what>': oneOf(['blocked', 'paused'], (any) => `only ${any} groups`),
    },
    isWatchable: true,
    sends: 'GET /queues/<queue>/groups',
    needsQueue: true,
    query: (call) => ({ id: call.names[1], sort: call.text('sort'), state: call.text('only') }),
    rows: 'groups',
    columns,
    none: (call) => {
      const isFiltered = call.names.length > 1 || call.has('only');
      return `${call.queue} has no ${isFiltered ? 'matching ' : ''}groups`;
    },
  }),
  asking({
    usage: 'groups show <queue> <group>',
    summary: 'show a group: its jobs, share and settings, and what blocks it',
    isWatchable: true,
    sends: 'GET /queues/<queue>/groups/<group>',
    shows,
  }),
  asking({
    usage: 'groups set <queue> <group>',
    summary: 'replace the settings of a group',
    examples: [
      'groups set mail acme --concurrency 4 --weight 3',
      'groups set mail acme --limiter 10/1s',
    ],
    options: {
      'concurrency <n>': 'maximum concurrent calls',
      'limiter <n/duration>': 'maximum starts per duration, such as 10/1s',
      'weight <n>': 'number of turns for each turn of other groups, up to 100 (1)',
      'max-waiting <n>': 'maximum waiting jobs; further adds are refused',
      'expires <time>': 'when the settings expire: a time, or 7d for seven days from now',
    },
    sends: 'PUT /queues/<queue>/groups/<group>',
    body: settingsOf,
    shows,
  }),
  removing({
    usage: 'groups unset <queue> <group>',
    summary: 'remove the settings of a group; its jobs stay',
    sends: 'DELETE /queues/<queue>/groups/<group>',
    question: (call) => `Remove the settings of ${call.name(1)} of ${call.queue}?`,
    shows: ({ removed }) => `Removed the settings of ${removed}`,
  }),
  pausing('group', 'pause', 'stop starting jobs of a group'),
  pausing('group', 'resume', 'start jobs of a paused group again'),
  holding('group', {
    usage: 'groups hold <queue> <group> [duration]',
    summary: 'stop starting jobs of a group for a while',
  }),
];
