import type { Limit, LimitsPage, QueuesAtLimit } from 'jobgate-client';
import { asking, removing } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { someGiven } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { fields, inOneLine } from '../output/fields.ts';
import type { Column } from '../output/table.ts';
import { limiterOf } from './groups.ts';
import { bodyOf } from './policy.ts';

const columns: readonly Column<Limit>[] = [
  { head: 'LIMIT', cell: ({ name }) => name },
  { head: 'RUNNING', cell: ({ running, concurrency }) => `${running}/${concurrency ?? '-'}` },
  { head: 'LIMITER', cell: ({ limiter }) => inOneLine(limiter), isOptional: true },
  { head: 'LEFT', cell: ({ startsLeft }) => startsLeft ?? '', isOptional: true },
];

async function shown(call: Invocation, limit: Limit): Promise<string> {
  const { queues } = await call.jobgate.limits.queues(limit.name);
  return fields([
    ['limit', limit.name],
    ['concurrency', limit.concurrency ?? 'any'],
    ['running', limit.running],
    ['limiter', inOneLine(limit.limiter)],
    ['starts left', limit.startsLeft ?? ''],
    ...queues.map(inUse),
  ]);
}

function inUse({ queue, running, waits }: QueuesAtLimit['queues'][number]): [string, string] {
  return [queue, `${running} running${waits ? ', waits' : ''}`];
}

function settingsOf(call: Invocation): object {
  if (call.has('body')) return bodyOf(call, '@limit.json');
  const settings = { concurrency: call.number('concurrency'), limiter: limiterOf(call) };
  return someGiven(settings, 'setting', 'limits set');
}

/** The limits that queues share. */
export const limitCommands: readonly Declaration[] = [
  asking<LimitsPage>({
    usage: 'limits list',
    summary: 'list the limits that queues share, and how much of them is in use',
    isWatchable: true,
    sends: 'GET /limits',
    shows: ({ limits }, call) => call.table(columns, limits, 'There are no limits'),
  }),
  {
    usage: 'limits show <name>',
    summary: 'show a limit, and which queues use it or wait for room',
    isWatchable: true,
    run: async (call) => {
      const limit = await call.jobgate.limits.get(call.name(0));
      const text = await shown(call, limit);
      call.answer(limit, () => text);
    },
  },
  asking<Limit>({
    usage: 'limits set <name>',
    summary: 'store a limit in place of any other of its name',
    examples: ['limits set openai --concurrency 20', 'limits set openai --limiter 100000/1m'],
    options: {
      'concurrency <n>': 'maximum concurrent calls of all queues',
      'limiter <n/duration>': 'maximum starts per duration, such as 10/1s',
      'body <json>': 'limit as in the API; JSON, @file or - (-)',
    },
    sends: 'PUT /limits/<name>',
    body: settingsOf,
    shows: ({ name }) => `Stored the limit ${name}`,
  }),
  removing({
    usage: 'limits remove <name>',
    summary: 'remove a limit that no policy names',
    sends: 'DELETE /limits/<name>',
    question: (call) => `Remove the limit ${call.name(0)}?`,
    shows: ({ removed }) => `Removed the limit ${removed}`,
  }),
];
