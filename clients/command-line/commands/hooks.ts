import type { Hook, HookDelivery } from 'jobgate-client';
import { elapsedInWords, inWords } from '../../../src/domain/values/duration.ts';
import { YES, type Command } from '../command.ts';
import { Failed } from '../failed.ts';
import { UsageError } from '../input/usage-error.ts';
import { objectOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { fields, inOneLine, json } from '../output/fields.ts';
import { coloured, colourOf } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';

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

const STATE_COLOURS: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  delivered: 'green',
  failed: 'red',
  pending: 'yellow',
};

const deliveryColumns: readonly Column<HookDelivery>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'TYPE', cell: ({ type }) => type },
  { head: 'STATE', cell: ({ state }) => state, colour: ({ state }) => STATE_COLOURS[state] },
  { head: 'TRIES', cell: ({ attempts }) => attempts },
  { head: 'HTTP', cell: ({ lastStatus }) => lastStatus ?? '', isOptional: true },
  { head: 'CREATED', cell: ({ createdAt }) => moment(createdAt) },
  { head: 'NEXT', cell: ({ nextAt }) => moment(nextAt), isOptional: true },
  { head: 'REASON', cell: ({ reason }) => reason ?? '', isOptional: true, isCut: true },
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

const one = (
  verb: string,
  summary: string,
  more: Partial<Command> & Pick<Command, 'run'>,
): Command => ({
  name: `hooks ${verb}`,
  takes: '<id>',
  count: [1, 1],
  summary,
  ...more,
});

const idOf = (call: Invocation): string => call.name(0);

/** The hooks of the service. */
export const hookCommands: readonly Command[] = [
  {
    name: 'hooks list',
    takes: '',
    count: [0, 0],
    summary: 'list the hooks, which send messages when something is wrong or jobs end',
    run: async (call) => {
      const answer = await call.jobgate.hooks.list();
      call.answer(answer, ({ hooks }) => call.table(columns, hooks, 'There are no hooks'));
    },
  },
  one('show', 'show a hook', {
    run: async (call) => call.answer(await call.jobgate.hooks.get(idOf(call)), shown),
  }),
  one('set', 'store a hook in place of any other of its id; prints a new secret once', {
    examples: [
      `hooks set on-call --body '{"url": "https://example.com/hooks", "events": ["worker.*"]}'`,
      'hooks set on-call --body @hook.json',
    ],
    options: { body: { value: 'json', meaning: 'hook as in the API; JSON, @file or - (-)' } },
    run: async (call) => {
      if (!call.has('body') && call.terminal.hasPerson)
        throw new UsageError('Give --body, such as --body @hook.json');
      const body = objectOf('--body', call.text('body') ?? '-');
      const path = `/hooks/${encodeURIComponent(idOf(call))}`;
      const answer = await call.request<Hook & { secret?: string }>('PUT', path, { body });
      call.answer(answer, ({ secret }) =>
        [`Stored the hook ${idOf(call)}`, secret].filter(Boolean).join('\n'),
      );
    },
  }),
  one('remove', 'remove a hook with its messages', {
    options: YES,
    run: async (call) => {
      const id = idOf(call);
      if (!(await call.isWanted(`Remove the hook ${id} with its messages?`))) return;
      await call.jobgate.hooks.remove(id);
      call.answer({ removed: id }, () => `Removed the hook ${id}`);
    },
  }),
  one('test', 'send one message at once, and show the answer', {
    run: async (call) => {
      const answer = await call.jobgate.hooks.test(idOf(call));
      const { request, outcome, status, durationMs, response, reason } = answer;
      call.answer(answer, () =>
        fields([
          ['request', `${request.method.toUpperCase()} ${request.url}`],
          ['outcome', coloured(outcome, colourOf(outcome))],
          ['HTTP status', status],
          ['took', elapsedInWords(durationMs)],
          ['reason', reason],
          ['response', response],
        ]),
      );
      if (outcome !== 'completed')
        throw new Failed(`The receiver of ${idOf(call)} failed the test`);
    },
  }),
  one('deliveries', 'list the latest messages of a hook, and what became of them', {
    options: { limit: { value: 'n', meaning: 'maximum messages to list, up to 100 (50)' } },
    isWatchable: true,
    run: async (call) => {
      const length = call.number('limit') ?? 50;
      const answer = await call.jobgate.hooks.deliveries(idOf(call), { length });
      call.answer(answer, ({ deliveries }) =>
        call.table(deliveryColumns, deliveries, 'No messages yet'),
      );
    },
  }),
  one('resend', 'send a message of a hook again, with its id', {
    takes: '<id> <delivery>',
    count: [2, 2],
    run: async (call) => {
      const delivery = call.name(1);
      await call.jobgate.hooks.resend(idOf(call), delivery);
      call.answer({ resent: delivery }, () => `The message ${delivery} is sent again`);
    },
  }),
  one(
    'rotate',
    'create a new signing secret, and print it once; the old one stays valid for a day',
    {
      run: async (call) => {
        const answer = await call.jobgate.hooks.rotateSecret(idOf(call));
        call.answer(answer, ({ secret }) => secret);
      },
    },
  ),
];
