/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AddedOnce,
  HeldAttempt,
  QueuePort,
  RepeatableJobs,
} from '../../../../application/ports/queue-port.ts';
import { attemptsCount } from '../../../../domain/attempts/attempt-record.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { AddedJob, Job, NewJob } from '../../../../domain/jobs/job.ts';
import { remade } from '../../../../domain/jobs/made-jobs.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { optionsOf, type JobRecord } from '../../../../domain/records/job-record.ts';
import { addOnce, recalled, rememberedAdd } from '../../../../domain/transitions/add-once.ts';
import {
  addJobs,
  madeJob,
  reserveNumbers,
  type MadeJobs,
} from '../../../../domain/transitions/add.ts';
import { holdsJob } from '../../../../domain/transitions/holding.ts';
import { shownJob } from '../../../../domain/transitions/shown-job.ts';
import { addedJobs, type ShownJobs } from './added-jobs.ts';
import { Adding } from './adding.ts';
import { JobReading, readJob } from './job-reading.ts';
import { readLog } from './log-reading.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { LARGEST_PIECE } from '../records/kept-values.ts';
import { Steps } from './steps.ts';
import { sizeOf } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';

/** Queues in the memory of this process. Reading never creates one, so reads cannot fill it up. */
export function memoryQueues(store: MemoryStore, steps = new Steps()): QueuePort {
  const adding = new Adding(store, steps);
  /** @param early returns the answer where nothing is to be added. */
  const adds = <Answer>(
    name: QueueName,
    jobs: readonly NewJob[],
    early: ((queue: StoredQueue, now: number) => Answer | undefined) | undefined,
    add: (queue: StoredQueue, now: number, made?: MadeJobs) => Answer | Promise<Answer>,
  ): Promise<Answer> => {
    let first = 0;
    return adding.run<Answer>({
      jobs,
      queueOf: () => name,
      begin: (now) => {
        const queue = store.open(name);
        const known = early?.(queue, now);
        if (known === undefined) first = reserveNumbers(queue, jobs.length);
        return known;
      },
      make: (position, now) => madeJob(jobs[position] as NewJob, position, first, now),
      all: (now, staged) => add(store.open(name), now, staged && { ...staged, first }),
    });
  };
  return {
    add: async (name, jobs, maxWaiting, maxWaitingOfGroup) => {
      const room = { maxWaiting, maxWaitingOfGroup };
      return adds<readonly AddedJob[]>(name, jobs, undefined, (queue, now, made) =>
        addedJobs(queue, jobs, addJobs(queue, jobs, room, now, made)),
      );
    },
    addOnce: async (name, add, identity, partOf) => {
      const early = (queue: StoredQueue, now: number): ShownOnce | undefined => {
        if (partOf !== undefined && !holds(store, partOf)) return { kind: 'lost' };
        return recall(queue, add, identity, now);
      };
      const shown = await adds<ShownOnce>(name, add.jobs, early, (queue, now, made) => {
        const known = early(queue, now);
        if (known !== undefined) return known;
        const additions = addOnce(queue, add.jobs, add, identity, add.defaults, now, made);
        return { kind: 'added', jobs: addedJobs(queue, add.jobs, additions) };
      });
      return whenShown(shown);
    },
    recall: async (name, add, identity) => {
      const shown = store.stepIfAny(name, (queue, now) => recall(queue, add, identity, now));
      return shown && whenShown(shown);
    },
    list: async (name, query) => {
      const queue = store.peek(name);
      const { listed } = queue.jobs;
      const [counts, jobs] = [listed.counts(), listed.slice(query)];
      if (jobs.every(({ isWhole }) => isWhole) && charactersOf(jobs) <= LARGEST_PIECE) {
        return { counts, jobs: [jobs.map((job) => shownJob(job, name))] };
      }
      const ids = jobs.map(({ id }) => id);
      return { counts, jobs: shownPieces(queue, ids) };
    },
    summary: async (queue) => store.peek(queue).jobs.listed.summary(),
    find: async (queue, id) => {
      const job = await readJob(store, { queue, id });
      return job && shownJob(job, queue);
    },
    async *findEach(name, ids) {
      const queue = store.find(name);
      if (queue !== undefined) yield* shownPieces(queue, ids);
    },
    attempts: async (queue, id) => {
      const job = await readJob(store, { queue, id });
      if (job === undefined) return undefined;
      const { attempts, group, cost } = job;
      const { tm: carrier } = optionsOf(job);
      return {
        count: attemptsCount(attempts),
        attempts,
        ...(group && { group: group.id }),
        ...(cost !== undefined && { cost }),
        ...(typeof carrier === 'string' && { carrier }),
      };
    },
    logs: async (queue, jobId, start, length) => {
      const found = store.find(queue);
      return found && readLog(found, jobId, start, length);
    },
  };
}

function holds(store: MemoryStore, { queue: name, attempt }: HeldAttempt): boolean {
  const queue = store.find(name);
  return queue !== undefined && holdsJob(queue, attempt);
}

/** Yields to the event loop before each piece. */
async function* shownPieces(
  queue: StoredQueue,
  ids: readonly string[],
): AsyncGenerator<readonly Job[]> {
  for await (const jobs of new JobReading(queue).pieces(ids)) {
    yield jobs.map((job) => shownJob(job, queue.name));
  }
}

function charactersOf(jobs: readonly JobRecord[]): number {
  return jobs.reduce((sum, job) => sum + sizeOf(job), 0);
}

/** As `AddedOnce`, with jobs that may have to be waited for. */
type ShownOnce =
  | { readonly kind: 'added' | 'repeated'; readonly jobs: ShownJobs }
  | Exclude<AddedOnce, { readonly jobs: unknown }>;

async function whenShown(shown: ShownOnce): Promise<AddedOnce> {
  return 'jobs' in shown ? { ...shown, jobs: await shown.jobs } : shown;
}

/** What `addOnce` answers when the queue remembers the key. */
function recall(
  queue: StoredQueue,
  add: RepeatableJobs,
  identity: AddIdentity,
  now: number,
): ShownOnce | undefined {
  const known = rememberedAdd(queue.adds, identity.key, now);
  if (known === undefined) return undefined;
  if (known.body !== identity.body) return { kind: 'other' };
  const jobs = remade(add, known.defaults);
  return { kind: 'repeated', jobs: addedJobs(queue, jobs, recalled(jobs, known)) };
}
