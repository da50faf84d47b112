import { JobgateError, type CreatedToken, type Token } from 'jobgate-client';
import { RIGHTS } from '../../../src/domain/values/rights.ts';
import { asking } from '../asking.ts';
import { YES, type Declaration, type Options } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { someGiven } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { fields } from '../output/fields.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';
import { allOf } from '../service/all-of.ts';
import { listing } from './paging.ts';
import { undoCommand } from './undo.ts';

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

/** When and from where a token works. */
const BOUNDS: Options = {
  'expires <time>': 'when the token expires: a time, or 90d for 90 days from now (never)',
  'addresses <list>': 'networks that may use the token, such as 10.0.0.0/8 (all)',
};

function boundsOf(call: Invocation) {
  return { expires: call.time('expires', 'ahead'), addresses: call.list('addresses') };
}

/** The token with this id, or else the only one with this name. @throws UsageError when several have the name. */
async function tokenNamed(call: Invocation, text: string): Promise<Token> {
  try {
    return await call.request<Token>('GET', '/tokens/<id|name>');
  } catch (error) {
    if (!(error instanceof JobgateError) || error.status !== 404) throw error;
    const named = (await allOf<Token>(call, '/tokens', 'tokens')).filter(
      ({ name }) => name === text,
    );
    const [token] = named;
    if (token === undefined) throw error;
    if (named.length === 1) return token;
    const ids = named.map(({ id }) => id).join(', ');
    throw new UsageError(`${named.length} tokens have the name ${text}; give an id: ${ids}`);
  }
}

export const tokenCommands: readonly Declaration[] = [
  listing({
    usage: 'tokens list',
    summary: 'list the API tokens with their rights',
    sends: 'GET /tokens',
    rows: 'tokens',
    columns,
    none: () => 'There are no tokens',
  }),
  asking<CreatedToken>({
    usage: 'tokens create <name>',
    summary: 'create an API token, and print it once',
    examples: ["tokens create mailer --rights add,read --queues 'mail-*' --expires 90d"],
    options: {
      'rights <list>': { meaning: RIGHTS.join(', '), offered: RIGHTS },
      'queues <list>': "queue patterns, such as 'mail-*,!mail-vip' (all queues)",
      ...BOUNDS,
    },
    sends: 'POST /tokens',
    body: (call) => {
      const rights = call.list('rights');
      if (rights === undefined) throw new UsageError('Give --rights, such as --rights add,read');
      return { name: call.name(0), rights, queues: call.list('queues'), ...boundsOf(call) };
    },
    shows: ({ token, id, expires }, call) => {
      call.terminal.report(
        fields([
          ['id', id],
          ['expires', expires === null ? 'never' : timeAndDistance(expires)],
        ]),
      );
      return token;
    },
  }),
  asking<Token>({
    usage: 'tokens change <id>',
    summary: 'change the name, expiry or addresses of a token',
    details: 'The rights and queues of a token cannot change: create another token instead.',
    examples: ['tokens change sz8ykJBf --expires 30d'],
    options: {
      'name <text>': 'name of the token in lists and logs',
      ...BOUNDS,
    },
    sends: 'PATCH /tokens/<id>',
    body: (call) =>
      someGiven({ name: call.text('name'), ...boundsOf(call) }, 'change', 'tokens change'),
    shows: (token, call) => call.table(columns, [token], ''),
  }),
  asking<{ readonly token: string }>({
    usage: 'tokens rotate <id>',
    summary: 'replace the secret of a token, and print the new token once',
    options: {
      'overlap <duration>': 'how long the old secret still works, up to 7d (1d)',
    },
    sends: 'POST /tokens/<id>/rotate',
    body: (call) => ({ overlap: call.duration('overlap') }),
    shows: ({ token }) => token,
  }),
  {
    usage: 'tokens revoke <id|name>',
    summary: 'revoke a token, given by its id, or by its name if no other token has it',
    options: YES,
    run: async (call) => {
      const { id, name } = await tokenNamed(call, call.name(0));
      if (!(await call.isWanted(`Revoke the token ${id} (${name}) and all tokens that it made?`)))
        return;
      await call.request('DELETE', `/tokens/${encodeURIComponent(id)}`);
      call.answer({ revoked: id }, () => `Revoked the token ${id}`);
    },
  },
  undoCommand,
];
