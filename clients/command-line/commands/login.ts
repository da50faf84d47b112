import { Jobgate } from 'jobgate-client';
import { YES, type Declaration } from '../command.ts';
import { orGuess } from '../input/guess.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import type { Column } from '../output/table.ts';
import { sendable } from '../service/service.ts';

interface Row {
  readonly name: string;
  readonly url: string;
  readonly isCurrent: boolean;
}

const columns: readonly Column<Row>[] = [
  { head: '', cell: ({ isCurrent }) => (isCurrent ? '*' : '') },
  { head: 'CONTEXT', cell: ({ name }) => name },
  { head: 'URL', cell: ({ url }) => url },
];

/** @throws UsageError when the context does not exist. */
function checkContext(call: Invocation, name: string): void {
  const names = Object.keys(call.service.contexts.read().contexts);
  if (names.includes(name)) return;
  throw new UsageError(
    `There is no context ${name}: ${orGuess(name, names, 'jobgate contexts lists them')}`,
  );
}

export const loginCommands: readonly Declaration[] = [
  {
    usage: 'login [name]',
    summary: 'save the URL and token of a service under a name, and use that service from now on',
    details:
      'Asks for the token, or reads it from standard input. Only you can read the file that stores it. --context selects another saved service for one command. JOBGATE_URL and JOBGATE_TOKEN take precedence over the current one.',
    examples: ['login --url https://jobs.example', 'login staging --url https://staging.example'],
    run: async (call) => {
      const { service, terminal } = call;
      const name = call.names[0] ?? 'default';
      const { url } = service;
      const token = call.text('token') ?? (await terminal.secret(`API token of ${url}: `)).trim();
      if (token === '') throw new UsageError('No token was given: type one, or use --token');
      const who = await new Jobgate({ url, token: sendable(token) }).whoami();
      const { contexts } = service.contexts.read();
      service.contexts.write({
        current: name,
        contexts: { ...contexts, [name]: { url, token } },
      });
      const answer = { context: name, url, token: who['name'] };
      call.answer(answer, () => `Commands now use ${url} (context ${name}, token ${answer.token})`);
    },
  },
  {
    usage: 'contexts list',
    summary: 'list the services that login saved; * marks the current one',
    run: (call) => {
      const { current, contexts } = call.service.contexts.read();
      const rows = Object.entries(contexts).map(([name, { url }]) => {
        return { name, url, isCurrent: name === current };
      });
      call.answer(rows, () =>
        call.table(columns, rows, 'No services are saved: jobgate login saves one'),
      );
      return Promise.resolve();
    },
  },
  {
    usage: 'contexts use <name>',
    summary: 'use a saved service from now on',
    run: (call) => {
      const name = call.name(0);
      checkContext(call, name);
      const { contexts } = call.service.contexts.read();
      call.service.contexts.write({ current: name, contexts });
      const url = contexts[name]?.url ?? '';
      call.answer({ context: name, url }, () => `Commands now use ${url} (context ${name})`);
      return Promise.resolve();
    },
  },
  {
    usage: 'contexts remove <name>',
    summary: 'remove a saved service and its token',
    options: YES,
    run: async (call) => {
      const name = call.name(0);
      checkContext(call, name);
      if (!(await call.isWanted(`Remove the context ${name} with its token?`))) return;
      const { current, contexts } = call.service.contexts.read();
      const rest = Object.fromEntries(Object.entries(contexts).filter(([each]) => each !== name));
      call.service.contexts.write({ current: current === name ? null : current, contexts: rest });
      call.answer({ removed: name }, () => `Removed the context ${name}`);
    },
  },
];
