import { JobgateError, type CreatedToken, type Token, type TokensPage } from 'jobgate-client';
import { YES, type Command, type Options } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { fields } from '../output/fields.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';
import { PAGE, restOf } from './paging.ts';

const RIGHTS = [
  'read',
  'data',
  'add',
  'process',
  'operate',
  'configure',
  'metrics',
  'tokens',
  'audit',
  'admin',
];

const columns: readonly Column<Token>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'NAME', cell: ({ name }) => name, isCut: true },
  { head: 'RIGHTS', cell: ({ rights }) => rights.join(','), isCut: true },
  { head: 'QUEUES', cell: ({ queues }) => queues?.join(',') ?? 'all', isCut: true },
  { head: 'EXPIRES', cell: ({ expires }) => moment(expires), isOptional: true },
  { head: 'USED', cell: ({ lastUsedAt }) => moment(lastUsedAt), isOptional: true },
  { head: 'FROM', cell: ({ lastAddress }) => lastAddress ?? '', isOptional: true },
  { head: 'SOURCE', cell: ({ source }) => source },
];

const pathOf = (id: string, end = ''): string => `/tokens/${encodeURIComponent(id)}${end}`;

/** When and from where a token works. */
const BOUNDS: Options = {
  expires: {
    value: 'time',
    meaning: 'when the token expires: a time, or 90d for 90 days from now (never)',
  },
  addresses: {
    value: 'list',
    meaning: 'networks that may use the token, such as 10.0.0.0/8 (all)',
  },
};

function boundsOf(call: Invocation) {
  return { expires: call.time('expires', 'ahead'), addresses: call.list('addresses') };
}

/** The most tokens that one answer lists. */
const WHOLE_PAGE = 1000;

/** The token with this id, or else the only one with this name. @throws UsageError when several have the name. */
async function tokenNamed(call: Invocation, text: string): Promise<Token> {
  try {
    return await call.request<Token>('GET', pathOf(text));
  } catch (error) {
    if (!(error instanceof JobgateError) || error.status !== 404) throw error;
    const named = (await allTokens(call)).filter(({ name }) => name === text);
    const [token] = named;
    if (token === undefined) throw error;
    if (named.length === 1) return token;
    const ids = named.map(({ id }) => id).join(', ');
    throw new UsageError(`${named.length} tokens have the name ${text}; give an id: ${ids}`);
  }
}

async function allTokens(call: Invocation): Promise<readonly Token[]> {
  const all: Token[] = [];
  for (;;) {
    const query = { start: all.length, length: WHOLE_PAGE };
    const { total, tokens } = await call.request<TokensPage>('GET', '/tokens', { query });
    all.push(...tokens);
    if (tokens.length === 0 || all.length >= total) return all;
  }
}

export const tokenCommands: readonly Command[] = [
  {
    name: 'tokens list',
    takes: '',
    count: [0, 0],
    summary: 'list the API tokens with their rights',
    options: PAGE(100),
    run: async (call) => {
      const query = { start: call.number('skip'), length: call.number('limit') ?? 100 };
      const answer = await call.request<TokensPage>('GET', '/tokens', { query });
      call.answer(
        answer,
        ({ total, tokens }) =>
          call.table(columns, tokens, 'There are no tokens') +
          restOf(tokens.length, query.start ?? 0, total, 'tokens'),
      );
    },
  },
  {
    name: 'tokens create',
    takes: '<name>',
    count: [1, 1],
    summary: 'create an API token, and print it once',
    examples: ["tokens create mailer --rights add,read --queues 'mail-*' --expires 90d"],
    options: {
      rights: { value: 'list', meaning: RIGHTS.join(', '), offered: RIGHTS },
      queues: { value: 'list', meaning: "queue patterns, such as 'mail-*,!mail-vip' (all queues)" },
      ...BOUNDS,
    },
    run: async (call) => {
      const rights = call.list('rights');
      if (rights === undefined) throw new UsageError('Give --rights, such as --rights add,read');
      const body = {
        name: call.name(0),
        rights,
        queues: call.list('queues'),
        ...boundsOf(call),
      };
      const created = await call.request<CreatedToken>('POST', '/tokens', { body });
      call.answer(created, ({ token, id, expires }) => {
        call.terminal.report(
          fields([
            ['id', id],
            ['expires', expires === null ? 'never' : timeAndDistance(expires)],
          ]),
        );
        return token;
      });
    },
  },
  {
    name: 'tokens change',
    takes: '<id>',
    count: [1, 1],
    summary: 'change the name, expiry or addresses of a token',
    details: 'The rights and queues of a token cannot change: create another token instead.',
    examples: ['tokens change sz8ykJBf --expires 30d'],
    options: {
      name: { value: 'text', meaning: 'name of the token in lists and logs' },
      ...BOUNDS,
    },
    run: async (call) => {
      const all = { name: call.text('name'), ...boundsOf(call) };
      const given = Object.entries(all).filter(([, value]) => value !== undefined);
      if (given.length === 0)
        throw new UsageError('Give at least one change: jobgate tokens change -h');
      const body = Object.fromEntries(given);
      const token = await call.request<Token>('PATCH', pathOf(call.name(0)), { body });
      call.answer(token, (each) => call.table(columns, [each], ''));
    },
  },
  {
    name: 'tokens rotate',
    takes: '<id>',
    count: [1, 1],
    summary: 'replace the secret of a token, and print the new token once',
    options: {
      overlap: { value: 'duration', meaning: 'how long the old secret still works, up to 7d (1d)' },
    },
    run: async (call) => {
      const body = { overlap: call.duration('overlap') };
      const answer = await call.request<{ token: string }>(
        'POST',
        pathOf(call.name(0), '/rotate'),
        { body },
      );
      call.answer(answer, ({ token }) => token);
    },
  },
  {
    name: 'tokens revoke',
    takes: '<id|name>',
    count: [1, 1],
    summary: 'revoke a token, given by its id, or by its name if no other token has it',
    options: YES,
    run: async (call) => {
      const { id, name } = await tokenNamed(call, call.name(0));
      if (!(await call.isWanted(`Revoke the token ${id} (${name}) and all tokens that it made?`)))
        return;
      await call.request('DELETE', pathOf(id));
      call.answer({ revoked: id }, () => `Revoked the token ${id}`);
    },
  },
];
