import { YES, type Declaration } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { objectOf } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { counted } from '../../rules/counted.ts';
import { jobCount } from '../output/fields.ts';
import { JOB_STATES } from './filters.ts';

/** The answer of `POST /erase`. */
interface Erased {
  readonly matched: number;
  readonly done: number;
  readonly remaining: number;
  readonly places: Readonly<Record<'events' | 'remembered' | 'callbacks' | 'deliveries', number>>;
}

/** How many jobs one call erases; the command repeats the call as long as some remain. */
const JOBS_PER_CALL = 1000;

const PLACES = [
  ['events', 'event'],
  ['remembered', 'remembered add'],
  ['callbacks', 'callback'],
  ['deliveries', 'message of a hook', 'messages of hooks'],
] as const;

/** @throws UsageError unless there is one of --data, job ids and --group. */
function selectionOf(call: Invocation): object {
  const [queue, ...ids] = call.names;
  const data = call.text('data');
  const group = call.text('group');
  if (data !== undefined) {
    if (queue !== undefined) throw new UsageError('--data looks in all queues, or in --queues');
    call.refuseBeside('data', ['group']);
    const queues = call.list('queues');
    return { filter: { data: objectOf('--data', data) }, ...(queues && { queues }) };
  }
  if (queue === undefined || (ids.length === 0) === (group === undefined)) {
    throw new UsageError('Select jobs by --data, by a queue and ids, or by a queue and --group');
  }
  if (call.has('queues')) throw new UsageError('--queues works only with --data');
  return { filter: group === undefined ? { queue, ids } : { queue, group } };
}

/** A sentence on what was erased, and on what stays. */
function shown({ done, remaining, places }: Erased): string {
  const beside = PLACES.flatMap(([place, one, many]) =>
    places[place] > 0 ? [counted(places[place], one, many)] : [],
  );
  const erased = [`Erased ${jobCount(done)}`, ...beside].join(', ');
  const rest =
    `${jobCount(remaining)} left: beyond --limit, active, or the next of a scheduler; ` +
    'erase again once they have ended';
  return remaining > 0 ? `${erased}\n${rest}` : erased;
}

async function erase(call: Invocation): Promise<void> {
  const states = call.list('state');
  const order = {
    ...selectionOf(call),
    ...(states && { states }),
    mode: call.has('redact') ? 'redact' : 'remove',
  };
  const limit = call.number('limit') ?? Infinity;
  const post = (more: object): Promise<Erased> =>
    call.request<Erased>('POST', '/erase', { body: { ...order, ...more } });
  const dryRun = await post({ dryRun: true });
  const most = Math.min(dryRun.matched, limit);
  if (call.has('dry-run')) {
    call.answer(dryRun, () => `${jobCount(most)} would be erased`);
    return;
  }
  if (!(await call.isWanted(`Erase ${jobCount(most)}, and all that other records have of them?`))) {
    return;
  }
  let total: Erased = {
    ...dryRun,
    places: { events: 0, remembered: 0, callbacks: 0, deliveries: 0 },
  };
  // Once even where no job matches: messages and events of jobs that are gone may hold the values.
  do {
    const answer = await post({ limit: Math.max(1, Math.min(JOBS_PER_CALL, most - total.done)) });
    const places = Object.entries(total.places).map(([place, count]) => [
      place,
      count + answer.places[place as keyof Erased['places']],
    ]);
    total = {
      matched: total.matched,
      done: total.done + answer.done,
      remaining: answer.remaining,
      places: Object.fromEntries(places) as Erased['places'],
    };
    if (answer.done === 0) break;
  } while (total.done < most && total.remaining > 0);
  call.answer(total, shown);
}

export const eraseCommand: Declaration = {
  usage: 'erase [queue] [job]...',
  summary: 'erase what the store has of a person, or of some jobs, everywhere',
  details:
    'Jobs, their logs and results, events, remembered adds, callbacks and messages of hooks. ' +
    'Values count by type: "17" is not 17.',
  examples: [
    `erase --data '{"customer.id": "17"}' --dry-run`,
    `erase --data '{"customer.id": "17"}' --queues 'mail-*,push'`,
    'erase mail 17 18',
    'erase mail --group acme',
  ],
  options: {
    'data <json>': 'values that the data of a job has, by path; JSON, @file or -',
    'queues <list>': 'where --data looks: names and patterns (all queues)',
    'group <id>': { meaning: 'jobs of this group of the queue', mayBeEmpty: true },
    'state <list>': { meaning: 'jobs in these states only (all)', offered: JOB_STATES },
    redact: 'keep ended jobs, and remove their values',
    'limit <n>': 'maximum number of jobs (all)',
    'dry-run': 'only count the matching jobs',
    ...YES,
  },
  run: erase,
};
