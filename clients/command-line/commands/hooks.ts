import type {
  Hook,
  HookDeliveries,
  HookDelivery,
  HooksPage,
  SavedHook,
  Secret,
  WorkerTestReport,
} from 'jobgate-client';
import { inWords } from '../../../src/domain/values/duration.ts';
import { asking, removing } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { fields, inOneLine, json, lines } from '../output/fields.ts';
import { colourOf } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';
import { reasonColumn } from './call-columns.ts';
import { bodyOf } from './policy.ts';
import { testInWords } from './test-call.ts';

const columns: readonly Column<Hook>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'EVENTS', cell: ({ events }) => events.join(','), isCut: true },
  { head: 'QUEUES', cell: ({ queues }) => queues?.join(',') ?? 'all', isCut: true },
  { head: 'FORMAT', cell: ({ format }) => format },
  { head: 'URL', cell: ({ url }) => url, isCut: true },
  {
    head: 'PAUSED',
    cell: ({ paused, pausedReason }) => (paused ? (pausedReason ?? 'yes') : ''),
    colour: ({ paused }) => (paused ? 'yellow' : undefined),
    isOptional: true,
    isCut: true,
  },
];

const deliveryColumns: readonly Column<HookDelivery>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'TYPE', cell: ({ type }) => type },
  { head: 'STATE', cell: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { head: 'TRIES', cell: ({ attempts }) => attempts },
  { head: 'HTTP', cell: ({ lastStatus }) => lastStatus ?? '', isOptional: true },
  { head: 'CREATED', cell: ({ createdAt }) => moment(createdAt) },
  { head: 'NEXT', cell: ({ nextAt }) => moment(nextAt), isOptional: true },
  reasonColumn,
];

function shown({ id, createdAt, events, when, queues, repeat, ...hook }: Hook): string {
  return fields([
    ['id', id],
    ['url', hook.url],
    ['events', events.join(', ')],
    ['queues', queues?.join(', ') ?? 'all'],
    ['when', inOneLine(when)],
    ['for', inWords(hook.for)],
    ['repeat', repeat === null ? 'never' : inWords(repeat)],
    ['distinct', hook.distinct],
    ['format', hook.format],
    ['signed', hook.signing ? 'yes' : 'no'],
    ['headers', hook.headers && json(hook.headers)],
    ['paused', hook.paused ? (hook.pausedReason ?? 'yes') : ''],
    ['unreadable', hook.unreadable],
    ['created', timeAndDistance(createdAt)],
  ]);
}

/** The hooks of the service. */
export const hookCommands: readonly Declaration[] = [
  asking<HooksPage>({
    usage: 'hooks list',
    summary: 'list the hooks, which send messages when something is wrong or jobs end',
    sends: 'GET /hooks',
    shows: ({ hooks }, call) => call.table(columns, hooks, 'There are no hooks'),
  }),
  asking({
    usage: 'hooks show <id>',
    summary: 'show a hook',
    sends: 'GET /hooks/<id>',
    shows: shown,
  }),
  asking<SavedHook>({
    usage: 'hooks set <id>',
    summary: 'store a hook in place of any other of its id; prints a new secret once',
    examples: [
      `hooks set on-call --body '{"url": "https://example.com/hooks", "events": ["worker.*"]}'`,
      'hooks set on-call --body @hook.json',
    ],
    options: { 'body <json>': 'hook as in the API; JSON, @file or - (-)' },
    sends: 'PUT /hooks/<id>',
    body: (call) => bodyOf(call, '@hook.json'),
    shows: ({ secret }, call) => lines(`Stored the hook ${call.name(0)}`, secret),
  }),
  removing({
    usage: 'hooks remove <id>',
    summary: 'remove a hook with its messages',
    sends: 'DELETE /hooks/<id>',
    question: (call) => `Remove the hook ${call.name(0)} with its messages?`,
    shows: ({ removed }) => `Removed the hook ${removed}`,
  }),
  asking<WorkerTestReport>({
    usage: 'hooks test <id>',
    summary: 'send one message at once, and show the answer',
    sends: 'POST /hooks/<id>/test',
    shows: testInWords,
    fails: ({ outcome }, call) =>
      outcome !== 'completed' && `The receiver of ${call.name(0)} failed the test`,
  }),
  asking<HookDeliveries>({
    usage: 'hooks deliveries <id>',
    summary: 'list the latest messages of a hook, and what became of them',
    options: { 'limit <n>': 'maximum messages to list, up to 100 (50)' },
    isWatchable: true,
    sends: 'GET /hooks/<id>/deliveries',
    query: (call) => ({ length: call.number('limit') ?? 50 }),
    shows: ({ deliveries }, call) => call.table(deliveryColumns, deliveries, 'No messages yet'),
  }),
  asking({
    usage: 'hooks resend <id> <delivery>',
    summary: 'send a message of a hook again, with its id',
    sends: 'POST /hooks/<id>/deliveries/<delivery>/resend',
    done: (call) => ({ resent: call.name(1) }),
    shows: ({ resent }) => `The message ${resent} is sent again`,
  }),
  asking<Secret>({
    usage: 'hooks rotate <id>',
    summary: 'create a new signing secret, and print it once; the old one stays valid for a day',
    sends: 'POST /hooks/<id>/rotate-secret',
    shows: ({ secret }) => secret,
  }),
];
