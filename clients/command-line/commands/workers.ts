import type {
  Latency,
  LatestCall,
  ListedHealth,
  Secret,
  Worker,
  WorkerHealth,
  WorkerTestReport,
} from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { asking, removing } from '../asking.ts';
import { oneOf, type Declaration } from '../command.ts';
import { jsonOf } from '../input/values.ts';
import { fields, inOneLine, json } from '../output/fields.ts';
import { coloured, colourOf } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { timeAndDistance } from '../output/times.ts';
import { callColumns, reasonColumn } from './call-columns.ts';
import { listing } from './paging.ts';
import { testInWords } from './test-call.ts';
import { changeWorkerCommand, registerCommand } from './worker-settings.ts';

const healthColumns: readonly Column<ListedHealth>[] = [
  { head: 'QUEUE', cell: ({ queue }) => queue },
  { head: 'STATE', cell: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { head: 'RUNNING', cell: ({ running, concurrency }) => `${running}/${concurrency}` },
  { head: 'FAILED', cell: ({ calls, failures }) => `${failures}/${calls}` },
  { head: 'HTTP', cell: ({ lastStatus }) => lastStatus ?? '', isOptional: true },
  { head: 'P95', cell: ({ latencyMs: { p95 } }) => (p95 === null ? '-' : elapsedInWords(p95)) },
  { head: 'ENDPOINT', cell: endpointInWords, isCut: true },
  reasonColumn,
];

const latestColumns: readonly Column<LatestCall>[] = [
  { head: 'JOB', cell: ({ job }) => job },
  { head: '#', cell: ({ attempt }) => attempt },
  ...callColumns,
  reasonColumn,
];

export const workerCommands: readonly Declaration[] = [
  listing({
    usage: 'workers list',
    summary: 'list the registered workers and their health',
    options: {
      'only <state>': oneOf(
        ['healthy', 'held', 'open', 'probing', 'disabled'],
        (any) => `only ${any} workers`,
      ),
    },
    isWatchable: true,
    sends: 'GET /workers',
    query: (call) => ({ view: 'health', state: call.text('only') }),
    rows: 'workers',
    columns: healthColumns,
    none: () => 'No matching workers',
  }),
  asking<Worker>({
    usage: 'workers show <queue>',
    summary: 'show the registration of a worker',
    sends: 'GET /workers/<queue>',
    shows: ({ endpoint: { url, method, ...rest }, opts }, call) =>
      fields([
        ['queue', call.queue],
        ['endpoint', endpointInWords({ url, method })],
        ...Object.entries(rest).map(
          ([name, value]) =>
            [name, typeof value === 'object' ? json(value) : String(value)] as const,
        ),
        ['options', inOneLine(opts)],
      ]),
  }),
  registerCommand,
  changeWorkerCommand,
  removing({
    usage: 'workers remove <queue>',
    summary: 'remove the worker of a queue; its jobs stay',
    sends: 'DELETE /workers/<queue>',
    question: ({ queue }) => `Remove the worker of ${queue}?`,
    shows: ({ removed }) => `Removed the worker of ${removed}`,
  }),
  asking<WorkerTestReport>({
    usage: 'workers test <queue> [data]',
    summary: 'call the endpoint once with a job that is in no queue',
    options: { 'name <text>': 'name of the job' },
    sends: 'POST /workers/<queue>/test',
    body: (call) => {
      const [, data] = call.names;
      const value = data === undefined ? undefined : jsonOf('The data', data);
      return { name: call.text('name'), data: value };
    },
    shows: testInWords,
    fails: ({ outcome }, call) =>
      !['completed', 'accepted', 'suspended'].includes(outcome) &&
      `The endpoint of ${call.queue} failed the test`,
  }),
  asking<WorkerHealth>({
    usage: 'workers health <queue>',
    summary: 'show the health of the worker of a queue',
    isWatchable: true,
    sends: 'GET /workers/<queue>/health',
    shows: ({ state, since, until, reason, by, lastStatus, lastError, ...health }, call) =>
      fields([
        ['queue', call.queue],
        ['state', coloured(state, colourOf(state))],
        ['since', since === null ? '' : timeAndDistance(since)],
        ['until', until === null ? '' : timeAndDistance(until)],
        ['by', by],
        ['reason', reason],
        ['failed calls', `${health.failures} of ${health.calls}`],
        ['HTTP status', lastStatus],
        ['last error', lastError],
        ['latency', latencyInWords(health.latencyMs)],
      ]),
  }),
  asking<readonly LatestCall[]>({
    usage: 'workers calls <queue>',
    summary: 'list the latest calls of the worker of a queue',
    options: { 'limit <n>': 'maximum calls to list, up to 50 (20)' },
    isWatchable: true,
    sends: 'GET /workers/<queue>/calls',
    query: (call) => ({ length: call.number('limit') ?? 20 }),
    shows: (calls, call) => call.table(latestColumns, calls, 'No calls yet'),
  }),
  asking({
    usage: 'workers enable <queue>',
    summary: 'start calling the endpoint of a disabled worker again',
    sends: 'POST /workers/<queue>/enable',
    done: ({ queue }) => ({ enabled: queue }),
    shows: ({ enabled }) => `The worker of ${enabled} is enabled`,
  }),
  asking({
    usage: 'workers disable <queue>',
    summary: 'stop calling the endpoint of a queue',
    options: {
      'reason <text>': {
        meaning: 'reason to show in the health of the worker',
        formerly: 'because',
      },
    },
    sends: 'POST /workers/<queue>/disable',
    body: (call) => ({ reason: call.text('reason') }),
    done: ({ queue }) => ({ disabled: queue }),
    shows: ({ disabled }) => `The worker of ${disabled} is disabled`,
  }),
  asking<Secret>({
    usage: 'workers rotate <queue>',
    summary: 'create a new signing secret, and print it once; the old one stays valid for a day',
    sends: 'POST /workers/<queue>/rotate-secret',
    shows: ({ secret }) => secret,
  }),
];

function endpointInWords({ url, method }: Pick<ListedHealth, 'url' | 'method'>): string {
  return `${method.toUpperCase()} ${url ?? '(endpoints of jobs)'}`;
}

function latencyInWords({ p50, p95 }: Latency): string {
  return p50 === null || p95 === null
    ? ''
    : `${elapsedInWords(p50)} (p50), ${elapsedInWords(p95)} (p95)`;
}
