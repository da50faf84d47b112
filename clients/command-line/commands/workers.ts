import type { Latency, LatestCall, ListedHealth, Worker } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { YES, type Command } from '../command.ts';
import { Failed } from '../failed.ts';
import { jsonOf } from '../input/values.ts';
import { fields, inOneLine, json } from '../output/fields.ts';
import { coloured, colourOf } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';
import { PAGE, restOf } from './paging.ts';
import { changeWorkerCommand, registerCommand } from './worker-settings.ts';

const healthColumns: readonly Column<ListedHealth>[] = [
  { head: 'QUEUE', cell: ({ queue }) => queue },
  { head: 'STATE', cell: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { head: 'RUNNING', cell: ({ running, concurrency }) => `${running}/${concurrency}` },
  { head: 'FAILED', cell: ({ calls, failures }) => `${failures}/${calls}` },
  { head: 'HTTP', cell: ({ lastStatus }) => lastStatus ?? '', isOptional: true },
  { head: 'P95', cell: ({ latencyMs: { p95 } }) => (p95 === null ? '-' : elapsedInWords(p95)) },
  { head: 'ENDPOINT', cell: ({ method, url }) => `${method.toUpperCase()} ${url}`, isCut: true },
  { head: 'REASON', cell: ({ reason }) => reason ?? '', isOptional: true, isCut: true },
];

const callColumns: readonly Column<LatestCall>[] = [
  { head: 'JOB', cell: ({ job }) => job },
  { head: '#', cell: ({ attempt }) => attempt },
  { head: 'OUTCOME', cell: ({ outcome }) => outcome, colour: ({ outcome }) => colourOf(outcome) },
  { head: 'HTTP', cell: ({ status }) => status ?? '' },
  { head: 'STARTED', cell: ({ startedAt }) => moment(startedAt) },
  { head: 'TOOK', cell: ({ durationMs }) => elapsedInWords(durationMs) },
  { head: 'REASON', cell: ({ reason }) => reason ?? '', isOptional: true, isCut: true },
];

const one = (
  verb: string,
  summary: string,
  more: Partial<Command> & Pick<Command, 'run'>,
): Command => ({
  name: `workers ${verb}`,
  takes: '<queue>',
  count: [1, 1],
  summary,
  ...more,
});

export const workerCommands: readonly Command[] = [
  {
    name: 'workers list',
    takes: '',
    count: [0, 0],
    summary: 'list the registered workers and their health',
    options: {
      only: {
        value: 'state',
        meaning: 'only healthy, held, open, probing or disabled workers',
        offered: ['healthy', 'held', 'open', 'probing', 'disabled'],
      },
      ...PAGE(100),
    },
    isWatchable: true,
    run: async (call) => {
      const answer = await call.jobgate.workers.list({
        view: 'health',
        state: call.text('only'),
        start: call.number('skip'),
        length: call.number('limit') ?? 100,
      });
      call.answer(
        answer,
        ({ total, workers }) =>
          call.table(healthColumns, workers, 'No matching workers') +
          restOf(workers.length, call.number('skip') ?? 0, total, 'workers'),
      );
    },
  },
  one('show', 'show the registration of a worker', {
    run: async (call) => {
      const path = `/workers/${encodeURIComponent(call.queue)}`;
      call.answer(await call.request<Worker>('GET', path), ({ endpoint, opts }) => {
        const { url, method, ...rest } = endpoint;
        return fields([
          ['queue', call.queue],
          ['endpoint', `${method.toUpperCase()} ${url}`],
          ...Object.entries(rest).map(
            ([name, value]) =>
              [name, typeof value === 'object' ? json(value) : String(value)] as const,
          ),
          ['options', inOneLine(opts)],
        ]);
      });
    },
  }),
  registerCommand,
  changeWorkerCommand,
  one('remove', 'remove the worker of a queue; its jobs stay', {
    options: YES,
    run: async (call) => {
      if (!(await call.isWanted(`Remove the worker of ${call.queue}?`))) return;
      await call.jobgate.workers.remove(call.queue);
      call.answer({ removed: call.queue }, () => `Removed the worker of ${call.queue}`);
    },
  }),
  one('test', 'call the endpoint once with a job that is in no queue', {
    takes: '<queue> [data]',
    count: [1, 2],
    options: { name: { value: 'text', meaning: 'name of the job' } },
    run: async (call) => {
      const name = call.text('name');
      const data = call.names[1];
      const answer = await call.jobgate.workers.test(call.queue, {
        ...(name !== undefined && { name }),
        ...(data !== undefined && { data: jsonOf('The data', data) }),
      });
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
      if (!['completed', 'deferred'].includes(outcome)) {
        throw new Failed(`The endpoint of ${call.queue} failed the test`);
      }
    },
  }),
  one('health', 'show the health of the worker of a queue', {
    isWatchable: true,
    run: async (call) => {
      const health = await call.jobgate.workers.health(call.queue);
      call.answer(health, ({ state, since, until, reason, lastStatus, lastError, latencyMs }) =>
        fields([
          ['queue', call.queue],
          ['state', coloured(state, colourOf(state))],
          ['since', since === null ? '' : timeAndDistance(since)],
          ['until', until === null ? '' : timeAndDistance(until)],
          ['reason', reason],
          ['failed calls', `${health.failures} of ${health.calls}`],
          ['HTTP status', lastStatus],
          ['last error', lastError],
          ['latency', latencyInWords(latencyMs)],
        ]),
      );
    },
  }),
  one('calls', 'list the latest calls of the worker of a queue', {
    options: { limit: { value: 'n', meaning: 'maximum calls to list, up to 50 (20)' } },
    isWatchable: true,
    run: async (call) => {
      const path = `/workers/${encodeURIComponent(call.queue)}/calls`;
      const query = { length: call.number('limit') ?? 20 };
      const calls = await call.request<readonly LatestCall[]>('GET', path, { query });
      call.answer(calls, (rows) => call.table(callColumns, rows, 'No calls yet'));
    },
  }),
  one('enable', 'start calling the endpoint of a disabled worker again', {
    run: async (call) => {
      await call.jobgate.workers.enable(call.queue);
      call.answer({ enabled: call.queue }, () => `The worker of ${call.queue} is enabled`);
    },
  }),
  one('disable', 'stop calling the endpoint of a queue', {
    options: { because: { value: 'text', meaning: 'reason to show in the health of the worker' } },
    run: async (call) => {
      const reason = call.text('because');
      await call.jobgate.workers.disable(call.queue, reason === undefined ? {} : { reason });
      call.answer({ disabled: call.queue }, () => `The worker of ${call.queue} is disabled`);
    },
  }),
  one(
    'rotate',
    'create a new signing secret, and print it once; the old one stays valid for a day',
    {
      run: async (call) => {
        const answer = await call.jobgate.workers.rotateSecret(call.queue);
        call.answer(answer, ({ secret }) => secret);
      },
    },
  ),
];

function latencyInWords({ p50, p95 }: Latency): string {
  return p50 === null || p95 === null
    ? ''
    : `${elapsedInWords(p50)} (p50), ${elapsedInWords(p95)} (p95)`;
}
