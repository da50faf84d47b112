import type { AuditEntry, AuditPage } from 'jobgate-client';
import { asking } from '../asking.ts';
import { oneOf } from '../command.ts';
import { fields, inOneLine } from '../output/fields.ts';
import { colourOf } from '../output/marks.ts';
import { PERIOD } from './filters.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';

const columns: readonly Column<AuditEntry>[] = [
  { head: 'AT', cell: ({ at }) => moment(at) },
  { head: 'WHO', cell: ({ who: { name } }) => name, isCut: true },
  { head: 'TOKEN', cell: ({ who: { id, name } }) => id ?? name },
  { head: 'ADDRESS', cell: ({ address }) => address },
  { head: 'ACTION', cell: ({ action }) => action },
  // A worker is named after its queue.
  {
    head: 'TARGET',
    cell: ({ target }) => [...new Set(Object.values(target))].join(' '),
    isCut: true,
  },
  { head: 'OUTCOME', cell: ({ outcome }) => outcome, colour: ({ outcome }) => colourOf(outcome) },
  { head: 'DETAIL', cell: ({ detail }) => inOneLine(detail), isOptional: true, isCut: true },
];

export const auditCommand = asking<AuditPage>({
  usage: 'audit',
  summary: 'list who changed what, newest first',
  examples: ['audit --queue mail --from 1d', 'audit --action queue.pause --outcome refused'],
  options: {
    'who <token>': 'id or name of the token that made the changes',
    'action <action>': 'action, such as queue.pause',
    'queue <name>': 'changes to this queue',
    'job <id>': 'changes to this job',
    'outcome <outcome>': oneOf(['ok', 'refused', 'failed', 'started'], (any) => `outcome: ${any}`),
    ...PERIOD,
    'limit <n>': 'maximum entries to list, up to 200 (50)',
    'cursor <text>': 'continue after an earlier list, which ended with this cursor',
  },
  isWatchable: true,
  sends: 'GET /audit',
  query: (call) => ({
    who: call.text('who'),
    action: call.text('action'),
    queue: call.text('queue'),
    job: call.text('job'),
    outcome: call.text('outcome'),
    ...call.period(),
    length: call.number('limit') ?? 50,
    cursor: call.text('cursor'),
  }),
  shows: ({ entries, cursor }, call) => {
    const text = call.table(columns, entries, 'No matching entries');
    return cursor === null ? text : `${text}\n${fields([['--cursor', cursor]])}`;
  },
});
