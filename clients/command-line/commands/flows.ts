import type { FlowJobInput, StoredFlowJob } from 'jobgate-client';
import { asking } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { objectOf } from '../input/values.ts';
import { coloured, colourOf } from '../output/marks.ts';

/** A tree with one line per job. */
function drawn(
  { queue, id, name, state, children }: StoredFlowJob,
  indent = '',
  branch = '',
): readonly string[] {
  const shown =
    state === null || state === undefined ? '' : `  ${coloured(state, colourOf(state))}`;
  const line = `${indent}${branch}${queue}/${id}  ${name ?? 'gone'}${shown}`;
  const inner = indent + (branch === '' ? '' : branch === '└─ ' ? '   ' : '│  ');
  return [
    line,
    ...children.flatMap((child, index) =>
      drawn(child, inner, index === children.length - 1 ? '└─ ' : '├─ '),
    ),
  ];
}

const show = (root: StoredFlowJob): string => drawn(root).join('\n');

export const flowCommands: readonly Declaration[] = [
  {
    usage: 'flows add <file>',
    summary: 'add the tree of jobs in a JSON file, or in standard input with -',
    run: async (call) => {
      const [file = ''] = call.names;
      const tree = objectOf('The flow', file === '-' ? file : `@${file}`);
      const flow = await call.jobgate.flow(tree as unknown as FlowJobInput);
      call.answer(flow, show);
    },
  },
  asking({
    usage: 'flows show <queue> <job>',
    summary: 'draw the tree below a job, with the state of each job',
    isWatchable: true,
    sends: 'GET /flows/<queue>/<job>',
    shows: show,
  }),
];
