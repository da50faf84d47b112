import type { Job, ListedScheduler, Repeat, Scheduler } from 'jobgate-client';
import { inWords } from '../../../src/domain/values/duration.ts';
import { asking, removing } from '../asking.ts';
import { oneOf, type Declaration } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { fields, inOneLine, json } from '../output/fields.ts';
import { stopInWords } from '../output/stopped.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';
import { pausing } from './holding.ts';
import { listing } from './paging.ts';

const columns: readonly Column<ListedScheduler>[] = [
  { head: 'QUEUE', cell: ({ queue }) => queue },
  { head: 'ID', cell: ({ id }) => id },
  { head: 'JOB', cell: ({ job }) => job.name, isCut: true },
  { head: 'REPEAT', cell: ({ repeat }) => repeatInWords(repeat) },
  {
    head: 'NEXT',
    cell: ({ paused, next }) => (paused ? 'paused' : moment(next[0])),
    colour: ({ paused }) => (paused ? 'yellow' : undefined),
  },
  { head: 'LAST', cell: ({ last }) => moment(last?.at), isOptional: true },
  { head: 'BY HAND', cell: ({ lastRunByHand }) => moment(lastRunByHand?.at), isOptional: true },
];

function repeatInWords({ pattern, every, tz }: Repeat): string {
  const what = pattern ?? `every ${inWords(every ?? 0)}`;
  return tz === undefined ? what : `${what} (${tz})`;
}

function madeBy(run: Scheduler['last']): string {
  return run === null ? '' : `job ${run.jobId} at ${timeAndDistance(run.at)}`;
}

function described(
  queue: string,
  { id, repeat, job, overlap, paused, pause, next, last, lastRunByHand, skipped }: Scheduler,
): string {
  const { pattern, every, tz, ...rest } = repeat;
  return fields([
    ['queue', queue],
    ['id', id],
    ['repeat', repeatInWords({ pattern, every, tz })],
    ['limits', inOneLine(rest)],
    ['paused', paused ? 'yes' : ''],
    ['paused by', stopInWords(pause)],
    ['overlap', overlap],
    ['next', next.map((time) => timeAndDistance(time)).join('\n')],
    ['last', madeBy(last)],
    ['last run by hand', madeBy(lastRunByHand)],
    ['skipped', skipped && `${timeAndDistance(skipped.at)}: the memory was full`],
    ['job', job.name],
    ['data', json(job.data, 1000)],
    ['options', inOneLine(job.opts)],
  ]);
}

/** The body of a scheduler from the options. @throws UsageError unless they define when and what. */
function bodyOf(call: Invocation): object {
  call.refuseBeside('body', ['pattern', 'every', 'tz', 'name', 'data', 'opts', 'overlap']);
  const body = call.object('body');
  if (body !== undefined) return body;
  const [pattern, every, name] = [call.text('pattern'), call.duration('every'), call.text('name')];
  if ((pattern === undefined) === (every === undefined) || name === undefined) {
    throw new UsageError('Give --name with either --pattern or --every, or give --body');
  }
  return {
    repeat: { pattern, every, tz: call.text('tz') },
    job: { name, data: call.json('data') ?? null, opts: call.object('opts') },
    overlap: call.text('overlap'),
  };
}

const shows = (scheduler: Scheduler, call: Invocation): string => described(call.queue, scheduler);

export const schedulerCommands: readonly Declaration[] = [
  listing({
    usage: 'schedulers list [queue]',
    summary:
      'list job schedulers by their next time: of all queues, or of those that match a pattern such as "mail-*"',
    isWatchable: true,
    sends: 'GET /schedulers',
    query: (call) => ({ queues: call.names[0], sort: 'next' }),
    rows: 'schedulers',
    things: 'job schedulers',
    columns,
    none: () => 'No matching job schedulers',
  }),
  asking({
    usage: 'schedulers show <queue> <id>',
    summary: 'show a job scheduler and its next times',
    sends: 'GET /queues/<queue>/schedulers/<id>',
    shows,
  }),
  asking({
    usage: 'schedulers put <queue> <id>',
    summary: 'create a job scheduler, or replace the one with this id',
    examples: [
      `schedulers put reports nightly --pattern '0 3 * * *' --tz Europe/Berlin --name report`,
      'schedulers put reports poll --every 15m --name poll --dry-run',
      'schedulers put reports nightly --body @scheduler.json',
    ],
    options: {
      'pattern <cron>': { meaning: "cron pattern, such as '0 3 * * *'", formerly: 'cron' },
      'every <duration>': 'interval, such as 15m',
      'tz <zone>': 'time zone of the pattern, such as Europe/Berlin',
      'name <text>': 'name of its jobs',
      'data <json>': 'data of its jobs; JSON, @file or - (null)',
      'opts <json>': 'options of its jobs, spelled as in the API',
      'overlap <how>': oneOf(
        ['allow', 'skip'],
        (any) => `whether its jobs may overlap: ${any} (allow)`,
      ),
      'body <json>': 'whole job scheduler as in the API; JSON, @file or -',
      'dry-run': 'show the job scheduler and its next times without storing it',
    },
    sends: 'PUT /queues/<queue>/schedulers/<id>',
    query: (call) => ({ dryRun: call.has('dry-run') || undefined }),
    body: bodyOf,
    shows,
  }),
  asking<Job>({
    usage: 'schedulers run <queue> <id>',
    summary: 'add a job of a job scheduler now, and print its id',
    sends: 'POST /queues/<queue>/schedulers/<id>/run',
    shows: ({ id }) => id,
  }),
  pausing('id', 'pause', 'stop a job scheduler from adding jobs'),
  pausing('id', 'resume', 'let a paused job scheduler add jobs again'),
  removing({
    usage: 'schedulers remove <queue> <id>',
    summary: 'remove a job scheduler; the jobs it added stay',
    sends: 'DELETE /queues/<queue>/schedulers/<id>',
    question: (call) => `Remove the job scheduler ${call.name(1)} of ${call.queue}?`,
    shows: ({ removed }, call) => `Removed ${removed} of ${call.queue}`,
  }),
];
