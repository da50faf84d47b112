import { pathOf } from './api-client.ts';
import type { Command, Invocation, Option } from './command.ts';
import { eachJob } from './each-job.ts';
import { jobCount } from './table.ts';
import { UsageError } from './terminal.ts';

type Action = 'retry' | 'promote' | 'clean' | 'cancel';

interface Repaired {
  readonly matched: number;
  readonly done: number;
  readonly remaining: number;
  readonly samples?: readonly unknown[];
}

/** Options that are fields of the filter under the same name, and which of them are numbers. */
const FILTERS: Readonly<Record<string, Option>> = {
  cause: { value: 'text', meaning: 'which failed for this cause, as `failures` shows it' },
  name: { value: 'text', meaning: 'of this name' },
  reason: { value: 'text', meaning: 'with this text in the reason of their failure' },
  status: { value: 'n', meaning: 'with this status of the last answer' },
  from: { value: 'time', meaning: 'added at this local time or later, such as 2026-01-31T08:00' },
  to: { value: 'time', meaning: 'added at this local time or earlier' },
};

const OPTIONS: Readonly<Record<string, Option>> = {
  ...FILTERS,
  statuses: { value: 'list', meaning: 'in these statuses' },
  all: { meaning: 'all jobs that the command can take' },
  'older-than': { value: 'ms', meaning: 'ended, or added, longer ago than this' },
  limit: { value: 'n', meaning: 'most jobs (all)' },
  'dry-run': { meaning: 'change nothing, and count the matching jobs' },
};

const DONE: Readonly<Record<Action, string>> = {
  retry: 'Retried',
  promote: 'Promoted',
  clean: 'Removed',
  cancel: 'Cancelled',
};

/** The actions that ask first, since they cannot be undone. */
const ASKED: Readonly<Partial<Record<Action, string>>> = { clean: 'Remove', cancel: 'Cancel' };

/** Most jobs of one call; the command calls again as long as some remain. */
const JOBS_PER_CALL = 1000;

function numberOf(call: Invocation, option: string): number | undefined {
  const text = call.text(option);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${option} must be a whole number`);
  return Number(text);
}

/** Epoch milliseconds, or what the platform understands as a date, in the local zone unless it names another. */
function timeOf(call: Invocation, option: string): number | undefined {
  const text = call.text(option);
  if (text === undefined || /^\d+$/.test(text)) return numberOf(call, option);
  // The platform takes a date without a time for one of UTC, and any other for local.
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  if (Number.isNaN(time)) throw new UsageError(`--${option} must be a time such as 2026-01-31`);
  return time;
}

function selectionOf(call: Invocation): object {
  const filter = {
    cause: call.text('cause'),
    name: call.text('name'),
    reason: call.text('reason'),
    status: numberOf(call, 'status'),
    from: timeOf(call, 'from'),
    to: timeOf(call, 'to'),
    statuses: call.text('statuses')?.split(','),
  };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered === call.has('all')) {
    throw new UsageError('Name jobs, or say which by options such as --name, or say --all');
  }
  return { ...(isFiltered ? { filter } : { all: true }), olderThan: numberOf(call, 'older-than') };
}

async function repairMany(call: Invocation, action: Action): Promise<void> {
  const { api, queue, terminal } = call;
  const selection = selectionOf(call);
  const path = pathOf('queues', queue, action);
  const limit = numberOf(call, 'limit');
  const dryRun = await api.post<Repaired>(path, { ...selection, dryRun: true });
  const most = Math.min(dryRun.matched, limit ?? Infinity);
  if (call.has('dry-run')) {
    call.answer(dryRun, () => `${jobCount(most)} would be ${DONE[action].toLowerCase()}`);
    return;
  }
  const asked = ASKED[action];
  if (asked !== undefined && !(await call.isWanted(`${asked} ${jobCount(most)} of ${queue}?`)))
    return;
  let done = 0;
  let remaining = dryRun.matched;
  // Jobs that begin to match meanwhile are ignored, or jobs that fail again would be retried for ever.
  while (done < most) {
    const some = Math.min(JOBS_PER_CALL, most - done);
    const answer = await api.post<Repaired>(path, { ...selection, limit: some });
    done += answer.done;
    ({ remaining } = answer);
    if (answer.done === 0) break;
    if (done < most) terminal.report(`${done} of ${jobCount(most)}`);
  }
  call.answer(
    { matched: dryRun.matched, done, remaining },
    () => `${DONE[action]} ${jobCount(done)}`,
  );
}

async function repairEach(call: Invocation, action: Action, body?: object): Promise<void> {
  const [queue = '', ...ids] = call.names;
  await eachJob(call, ids, DONE[action], 'done', (id) =>
    call.api.post(pathOf('queues', queue, 'jobs', id, action), body),
  );
}

function command(action: Action, summary: string, options: Record<string, Option> = {}): Command {
  const takesJobs = action !== 'clean';
  return {
    name: action,
    takes: takesJobs ? '<queue> [job]...' : '<queue>',
    count: [1, takesJobs ? Infinity : 1],
    summary,
    details: takesJobs
      ? 'Takes the named jobs, or those that match the options.'
      : 'Takes the completed and failed jobs that match the options.',
    options: { ...OPTIONS, ...options },
    run: (call) => {
      if (call.names.length === 1) return repairMany(call, action);
      const because = call.text('because');
      return repairEach(call, action, because === undefined ? undefined : { reason: because });
    },
  };
}

export const bulkCommands: readonly Command[] = [
  command('retry', 'let failed or completed jobs start over'),
  command('promote', 'let delayed jobs start now'),
  command('cancel', 'fail jobs for good, and abort their calls', {
    because: { value: 'text', meaning: 'the reason that named jobs fail with' },
    yes: { meaning: 'do not ask; it asks unless jobs are named' },
  }),
  command('clean', 'remove finished jobs', { yes: { meaning: 'do not ask' } }),
];
