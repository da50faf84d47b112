import { JobgateError } from 'jobgate-client';
import { counted } from '../../rules/counted.ts';
import { YES, type Declaration } from '../command.ts';
import { Failed } from '../failed.ts';
import type { Invocation } from '../invocation.ts';
import { inOneLine } from '../output/fields.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';
import {
  changesOf,
  type ChangesOfCaller,
  type StandingChange,
} from '../service/standing-changes.ts';

const columns: readonly Column<StandingChange>[] = [
  { head: 'SET', cell: ({ at }) => moment(at) },
  { head: 'WHAT', cell: ({ what }) => what },
  { head: 'OF', cell: ({ target }) => [...new Set(Object.values(target))].join(' '), isCut: true },
  { head: 'DETAIL', cell: ({ detail }) => inOneLine(detail), isOptional: true, isCut: true },
  { head: 'UNDO', cell: (change) => (change.undo === null ? change.cannot : change.undo) },
];

export const undoCommand: Declaration = {
  usage: 'tokens undo <id|name>',
  summary: 'list what a token or a person set that still stands, and take it back once confirmed',
  details:
    'Reads the audit and asks the service what still stands: tokens, hooks, workers, schedulers, subscriptions, policies, limits, settings of groups, pauses, holds and disabled workers. What they made is removed and what they stopped goes on, by the requests that the list shows. A setting that replaced another stays, since the earlier one is not kept; so does what ended at once, such as a drain. The token stays too: see tokens revoke. Needs the right audit and those of the requests; without a terminal, it only lists unless --yes is given.',
  examples: ['tokens undo sz8ykJBf', 'tokens undo ada --yes'],
  options: YES,
  run: async (call) => {
    const changes = await changesOf(call, call.name(0));
    const possible = changes.standing.filter(({ undo }) => undo !== null);
    const mayUndo = call.has('yes') || call.terminal.hasPerson;
    if (possible.length === 0 || !mayUndo) {
      call.answer(changes, () => described(call, changes));
      return;
    }
    if (!call.has('json')) call.terminal.print(described(call, changes));
    if (!(await call.isWanted(`Take back ${counted(possible.length, 'change')}?`))) return;
    const failed: string[] = [];
    for (const { undo } of possible) await takeBack(call, undo ?? '', failed);
    const undone = possible.length - failed.length;
    call.answer({ ...changes, undone, failed }, () => `Took back ${counted(undone, 'change')}`);
    if (failed.length > 0) throw new Failed(failed.join('\n'));
  },
};

/** A setting that is already gone, such as a token of a removed token, counts as undone. */
async function takeBack(call: Invocation, undo: string, failed: string[]): Promise<void> {
  const [method = '', path = ''] = undo.split(' ');
  try {
    await call.jobgate.request(method, path);
  } catch (error) {
    if (!(error instanceof JobgateError)) throw error;
    if (error.status !== 404) failed.push(`${undo}: ${error.message}`);
  }
}

function described(call: Invocation, { standing, others }: ChangesOfCaller): string {
  const none = `Nothing that ${call.name(0)} set still stands`;
  const rest = Object.entries(others).map(([action, times]) => `${action} (${times})`);
  const lines = [call.table(columns, standing, none)];
  if (rest.length > 0) lines.push(`Not to be taken back: ${rest.join(', ')}`);
  return lines.join('\n');
}
