import type { BulkRepairInput, RepairResult, RetryInput } from 'jobgate-client';
import { byName } from '../common-options.ts';
import { YES, type Declaration, type Options } from '../command.ts';
import { eachJob } from '../each-job.ts';
import { Failed } from '../failed.ts';
import { UsageError } from '../input/usage-error.ts';
import { given } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { jobCount } from '../output/fields.ts';
import { cut } from '../output/width.ts';
import { causesOf } from './failures.ts';
import { FILTERS, filterOf } from './filters.ts';

type Action = 'retry' | 'promote' | 'clean' | 'cancel';

const OPTIONS: Options = {
  'cause <n|text>': 'jobs that failed for this cause: its number or text in jobgate failures',
  ...FILTERS,
  all: 'all jobs that the command applies to',
  'older-than <duration>': 'jobs that ended, or were added, longer ago than this, such as 7d',
  'limit <n>': 'maximum number of jobs (all)',
  'dry-run': 'only count the matching jobs',
};

const DONE: Readonly<Record<Action, string>> = {
  retry: 'Retried',
  promote: 'Promoted',
  clean: 'Removed',
  cancel: 'Cancelled',
};

/** The actions that require confirmation, since they cannot be undone. */
const ASKED: Readonly<Partial<Record<Action, string>>> = { clean: 'Remove', cancel: 'Cancel' };

/** How many jobs one call covers; the command repeats the call as long as some remain. */
const JOBS_PER_CALL = 1000;

/** Replaces a number by the cause that `failures` shows with it. @throws Failed when it does not exist. */
async function causeOf(call: Invocation): Promise<string | undefined> {
  const given = call.text('cause');
  if (given === undefined || !/^\d{1,4}$/.test(given)) return given;
  const { causes } = await causesOf(call);
  const found = causes[Number(given) - 1];
  if (found === undefined) {
    throw new Failed(`There is no cause ${given}: jobgate failures ${call.queue} numbers them`);
  }
  call.terminal.report(cut(`Cause ${given}: ${found.cause}`, call.terminal.width));
  return found.cause;
}

/** @throws UsageError unless the options select jobs, or all of them. */
export function checkSelected(call: Invocation, action: string, takesIds: boolean): void {
  const isFiltered = Object.keys(given(filterOf(call))).length > 0 || call.has('cause');
  if (isFiltered !== call.has('all')) return;
  const ways = `${takesIds ? 'by id, ' : ''}by options such as --name, or with --all`;
  const what = call.has('all')
    ? '--all cannot be combined with options that select jobs'
    : `Select jobs ${ways}`;
  throw new UsageError(`${what}: jobgate ${action} -h`);
}

/** The selection of a repair. @param cause that of --cause. */
export function selectedBy(
  call: Invocation,
  cause: string | undefined,
): Pick<BulkRepairInput, 'filter' | 'all'> {
  if (call.has('all')) return { all: true };
  return { filter: { ...filterOf(call), cause } };
}

async function repairMany(call: Invocation, action: Action): Promise<void> {
  const misplaced = ['because', 'data', 'opts', 'steps'].find((option) => call.has(option));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} works only with job ids`);
  checkSelected(call, action, action !== 'clean');
  const cause = await causeOf(call);
  const selection = { ...selectedBy(call, cause), olderThan: call.duration('older-than') };
  const queue = call.jobgate.queue(call.queue);
  const repair = (what: Bounds): Promise<RepairResult> => queue[action]({ ...selection, ...what });
  await repairInCalls(call, repair, DONE[action], ASKED[action]);
}

type Bounds = Pick<BulkRepairInput, 'limit' | 'dryRun'>;

/**
 * Repeats a repair until it is done with as many jobs as were there at first.
 *
 * @param past the action as a past participle.
 * @param asked the action as a question; undefined for one that needs no confirmation.
 */
export async function repairInCalls(
  call: Invocation,
  repair: (bounds: Bounds) => Promise<RepairResult>,
  past: string,
  asked?: string,
): Promise<void> {
  const limit = call.number('limit') ?? Infinity;
  await call.jobgate.queue(call.queue).get();
  const dryRun = await repair({ dryRun: true });
  const most = Math.min(dryRun.matched, limit);
  if (call.has('dry-run')) {
    call.answer(dryRun, () => `${jobCount(most)} would be ${past.toLowerCase()}`);
    return;
  }
  const question = `${asked ?? ''} ${jobCount(most)} of ${call.queue}?`;
  if (asked !== undefined && most > 0 && !(await call.isWanted(question))) return;
  let done = 0;
  let remaining = dryRun.matched;
  // Jobs that begin to match in the meantime are ignored; otherwise jobs that fail again would be retried forever.
  while (done < most) {
    const answer = await repair({ limit: Math.min(JOBS_PER_CALL, most - done) });
    done += answer.done;
    ({ remaining } = answer);
    if (answer.done === 0) break;
    if (done < most) call.terminal.report(`${done} of ${jobCount(most)}`);
  }
  call.answer({ matched: dryRun.matched, done, remaining }, () => `${past} ${jobCount(done)}`);
}

/** @throws UsageError when options select jobs although jobs are named. */
async function repairEach(call: Invocation, action: Exclude<Action, 'clean'>): Promise<void> {
  const [queue = '', ...ids] = call.names;
  const filter = Object.keys(byName(OPTIONS)).find((option) => call.has(option));
  if (filter !== undefined) {
    throw new UsageError(`--${filter} cannot be combined with job ids`);
  }
  const reason = call.text('because');
  const changes: RetryInput = {
    data: call.json('data'),
    opts: call.object('opts'),
    steps: call.text('steps'),
  };
  await eachJob(call, ids, DONE[action], 'done', (id) => {
    const job = call.jobgate.queue(queue).job(id);
    if (action === 'cancel') return job.cancel(reason === undefined ? {} : { reason });
    return action === 'retry' ? job.retry(changes) : job.promote();
  });
}

function command(action: Action, summary: string, more: Partial<Declaration> = {}): Declaration {
  const takesJobs = action !== 'clean';
  return {
    usage: `${action} <queue>${takesJobs ? ' [job]...' : ''}`,
    summary,
    details: takesJobs
      ? 'Applies to the jobs with these ids, or to the jobs that match the options.'
      : 'Applies to the completed and failed jobs that match the options.',
    ...more,
    options: { ...OPTIONS, ...more.options },
    run: (call) =>
      action === 'clean' || call.names.length === 1
        ? repairMany(call, action)
        : repairEach(call, action),
  };
}

export const repairCommands: readonly Declaration[] = [
  command('retry', 'restart failed or completed jobs', {
    examples: [
      'retry mail 17 18',
      'retry mail --cause 1',
      'retry mail --http-status 503 --from 2h',
      `retry mail 17 --data '{"to": "ada@example.com"}'`,
      'retry orders 17 --steps forget',
    ],
    options: {
      'data <json>': 'with job ids: new data; JSON, @file or -',
      'opts <json>': 'with job ids: options to change, spelled as in the API',
      'steps <keep|forget>': {
        meaning: 'with job ids: keep the saved steps, or do all of them again (keep)',
        offered: ['keep', 'forget'],
      },
    },
  }),
  command('promote', 'make delayed jobs start now', { examples: ['promote mail 17'] }),
  command('cancel', 'fail jobs permanently, and abort their calls', {
    examples: ["cancel mail 17 --because 'Sold out'", 'cancel mail --state waiting --name report'],
    options: {
      'because <text>': 'with job ids: reason for the failure',
      yes: 'do not ask for confirmation, as with job ids',
    },
  }),
  command('clean', 'remove completed and failed jobs', {
    examples: ['clean mail --state completed --older-than 7d', 'clean mail --all --dry-run'],
    options: YES,
  }),
];
