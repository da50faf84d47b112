import type { Job, JobSummary } from 'jobgate-client';
import { shellWord } from '../../rules/shell-word.ts';
import { counted } from '../../rules/counted.ts';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { fields, json } from '../output/fields.ts';
import { coloured, colourOf } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';

/** Longest value that is shown among the other fields. */
const VALUE = 1000;

export const jobColumns: readonly Column<JobSummary>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'NAME', cell: ({ name }) => name, isCut: true },
  { head: 'STATE', cell: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { head: 'ATTEMPTS', cell: ({ attemptsMade }) => attemptsMade },
  { head: 'GROUP', cell: ({ group }) => group ?? '', isOptional: true, isCut: true },
  { head: 'ADDED', cell: ({ timestamp }) => moment(timestamp) },
  { head: 'DUE', cell: ({ dueAt }) => moment(dueAt), isOptional: true },
  { head: 'ENDED', cell: ({ finishedOn }) => moment(finishedOn), isOptional: true },
  { head: 'REASON', cell: ({ failedReason }) => failedReason ?? '', isOptional: true, isCut: true },
];

/** All known fields of a job, except empty ones. */
export function describedJob(
  queue: string,
  summary: JobSummary,
  job: Job,
  logs: readonly string[],
): string {
  const { id, state, timestamp, processedOn, finishedOn, dueAt, parent } = summary;
  const ran = processedOn !== null && finishedOn !== null ? finishedOn - processedOn : undefined;
  const data = `jobgate data ${shellWord(queue)} ${shellWord(id)}`;
  const when = (ms: number | null): string => (ms === null ? '' : timeAndDistance(ms));
  const about = fields([
    ['id', id],
    ['name', job.name],
    ['state', coloured(state, colourOf(state))],
    ['added', when(timestamp)],
    ['due', when(dueAt)],
    ['started', when(processedOn)],
    ['awaits', job.suspended?.steps.join(', ')],
    ['ended', when(finishedOn)],
    ['took', ran === undefined ? '' : elapsedInWords(ran)],
    ['attempts', attemptsOf(summary)],
    ['HTTP status', summary.lastStatus],
    ['reason', job.failedReason],
    ['origin', originOf(job.origin)],
    ['group', summary.group],
    ['parent', parent === null ? '' : `${parent.id} in ${parent.queue}`],
    ['options', optionsOf(job.opts)],
    ['callback', callbackOf(job.callback)],
    ['progress', job.progress === 0 ? '' : json(job.progress, VALUE)],
    ['data', json(job.data, VALUE, data)],
    ['result', job.returnvalue === null ? '' : json(job.returnvalue, VALUE, `${data} --result`)],
  ]);
  const parts = [about, ...traces(job.stacktrace ?? [], job.failedReason), logs.join('\n')];
  return parts.filter((part) => part !== '').join('\n\n');
}

function attemptsOf({ attemptsMade, attempts }: JobSummary): string {
  return attempts > 0 ? `${attemptsMade} of ${attempts}` : String(attemptsMade);
}

/** What became of the callback that followed its latest end. */
function callbackOf(callback: Job['callback']): string {
  if (callback === undefined) return '';
  const { state, attempts, lastStatus } = callback;
  const tries = counted(attempts, 'attempt');
  return lastStatus === null ? `${state} (${tries})` : `${state} (${tries}, HTTP ${lastStatus})`;
}

/** Which job a letter of a dead letter queue is a copy of, and why that failed. */
function originOf(origin: Job['origin']): string {
  if (origin === undefined) return '';
  const { queue, id, state, failedReason } = origin;
  const about = `${id} in ${queue} (${state ?? 'gone'})`;
  return failedReason === null ? about : `${about}: ${failedReason}`;
}

/** The options that are set and have no line of their own. */
function optionsOf(opts: object): string {
  return Object.entries(opts as Readonly<Record<string, unknown>>)
    .filter(
      ([name, value]) => value !== 0 && !['attempts', 'jobId', 'group', 'origin'].includes(name),
    )
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}

/** Each distinct stack trace once, with its count, omitting those that only repeat the reason. */
function traces(all: readonly string[], reason: string | undefined): readonly string[] {
  const times = new Map<string, number>();
  for (const trace of all) times.set(trace, (times.get(trace) ?? 0) + 1);
  return [...times]
    .filter(([trace]) => trace.trim().replace(/^Error: /, '') !== reason)
    .map(([trace, count]) => (count === 1 ? trace : `${trace}\n(${count} times)`));
}
