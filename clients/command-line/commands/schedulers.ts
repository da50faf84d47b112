import type { AllSchedulers, ListedScheduler, Repeat, Scheduler } from 'jobgate-client';
import { inWords } from '../../../src/domain/values/duration.ts';
import { YES, type Command } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { jsonOf, objectOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { fields, inOneLine, json } from '../output/fields.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';
import { PAGE, restOf } from './paging.ts';

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
  { id, repeat, job, overlap, paused, next, last, lastRunByHand, skipped }: Scheduler,
): string {
  const { pattern, every, tz, ...rest } = repeat;
  return fields([
    ['queue', queue],
    ['id', id],
    [
      'repeat',
      repeatInWords({ ...(pattern && { pattern }), ...(every && { every }), ...(tz && { tz }) }),
    ],
    ['limits', inOneLine(rest)],
    ['paused', paused ? 'yes' : ''],
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
  const { pattern, every, tz } = {
    pattern: call.text('pattern'),
    every: call.duration('every'),
    tz: call.text('tz'),
  };
  const name = call.text('name');
  if ((pattern === undefined) === (every === undefined) || name === undefined) {
    throw new UsageError('Give --name with either --pattern or --every, or give --body');
  }
  return {
    repeat: {
      ...(pattern !== undefined && { pattern }),
      ...(every !== undefined && { every }),
      ...(tz !== undefined && { tz }),
    },
    job: {
      name,
      data: call.has('data') ? jsonOf('--data', call.text('data') ?? '') : null,
      ...(call.has('opts') && { opts: objectOf('--opts', call.text('opts') ?? '') }),
    },
    ...(call.has('overlap') && { overlap: call.text('overlap') }),
  };
}

function simply(action: 'pause' | 'resume', summary: string): Command {
  return {
    name: `schedulers ${action}`,
    takes: '<queue> <id>',
    count: [2, 2],
    summary,
    run: async (call) => {
      await call.jobgate.queue(call.queue).schedulers[action](call.name(1));
      const done = { id: call.name(1), paused: action === 'pause' };
      call.answer(done, () => `${call.name(1)} of ${call.queue} is ${action}d`);
    },
  };
}

export const schedulerCommands: readonly Command[] = [
  {
    name: 'schedulers list',
    takes: '[queue]',
    count: [0, 1],
    summary:
      'list job schedulers by their next time: of all queues, or of those that match a pattern such as "mail-*"',
    options: PAGE(100),
    isWatchable: true,
    run: async (call) => {
      const query = {
        queues: call.names[0],
        sort: 'next',
        start: call.number('skip'),
        length: call.number('limit') ?? 100,
      };
      const answer = await call.request<AllSchedulers>('GET', '/schedulers', { query });
      call.answer(
        answer,
        ({ total, schedulers }) =>
          call.table(columns, schedulers, 'No matching job schedulers') +
          restOf(schedulers.length, query.start ?? 0, total, 'job schedulers'),
      );
    },
  },
  {
    name: 'schedulers show',
    takes: '<queue> <id>',
    count: [2, 2],
    summary: 'show a job scheduler and its next times',
    run: async (call) => {
      const scheduler = await call.jobgate.queue(call.queue).schedulers.get(call.name(1));
      call.answer(scheduler, (each) => described(call.queue, each));
    },
  },
  {
    name: 'schedulers put',
    takes: '<queue> <id>',
    count: [2, 2],
    summary: 'create a job scheduler, or replace the one with this id',
    examples: [
      `schedulers put reports nightly --pattern '0 3 * * *' --tz Europe/Berlin --name report`,
      'schedulers put reports poll --every 15m --name poll --dry-run',
      'schedulers put reports nightly --body @scheduler.json',
    ],
    options: {
      pattern: {
        value: 'cron',
        meaning: "cron pattern, such as '0 3 * * *'",
        formerly: 'cron',
      },
      every: { value: 'duration', meaning: 'interval, such as 15m' },
      tz: { value: 'zone', meaning: 'time zone of the pattern, such as Europe/Berlin' },
      name: { value: 'text', meaning: 'name of its jobs' },
      data: { value: 'json', meaning: 'data of its jobs; JSON, @file or - (null)' },
      opts: { value: 'json', meaning: 'options of its jobs, spelled as in the API' },
      overlap: {
        value: 'how',
        meaning: 'whether its jobs may overlap: allow or skip (allow)',
        offered: ['allow', 'skip'],
      },
      body: { value: 'json', meaning: 'whole job scheduler as in the API; JSON, @file or -' },
      'dry-run': { meaning: 'show the job scheduler and its next times without storing it' },
    },
    run: async (call) => {
      const given = call.text('body');
      call.refuseBeside('body', ['pattern', 'every', 'tz', 'name', 'data', 'opts', 'overlap']);
      const body = given === undefined ? bodyOf(call) : objectOf('--body', given);
      const path = `/queues/${encodeURIComponent(call.queue)}/schedulers/${encodeURIComponent(call.name(1))}`;
      const query = { dryRun: call.has('dry-run') || undefined };
      const scheduler = await call.request<Scheduler>('PUT', path, { body, query });
      call.answer(scheduler, (each) => described(call.queue, each));
    },
  },
  {
    name: 'schedulers run',
    takes: '<queue> <id>',
    count: [2, 2],
    summary: 'add a job of a job scheduler now, and print its id',
    run: async (call) => {
      const job = await call.jobgate.queue(call.queue).schedulers.run(call.name(1));
      call.answer(job, ({ id }) => id);
    },
  },
  simply('pause', 'stop a job scheduler from adding jobs'),
  simply('resume', 'let a paused job scheduler add jobs again'),
  {
    name: 'schedulers remove',
    takes: '<queue> <id>',
    count: [2, 2],
    summary: 'remove a job scheduler; the jobs it added stay',
    options: YES,
    run: async (call) => {
      if (!(await call.isWanted(`Remove the job scheduler ${call.name(1)} of ${call.queue}?`)))
        return;
      await call.jobgate.queue(call.queue).schedulers.remove(call.name(1));
      call.answer({ removed: call.name(1) }, () => `Removed ${call.name(1)} of ${call.queue}`);
    },
  },
];
