/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AddedOnce,
  HeldAttempt,
  JobAttempts,
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueuePort,
  QueueSummary,
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
export class MemoryQueues implements QueuePort {
  readonly #store: MemoryStore;
  readonly #adding: Adding;

  constructor(store: MemoryStore, steps = new Steps()) {
    this.#store = store;
    this.#adding = new Adding(store, steps);
  }

  async add(
    name: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]> {
    const room = { maxWaiting, maxWaitingOfGroup };
    return this.#add<readonly AddedJob[]>(name, jobs, undefined, (queue, now, made) => {
      return addedJobs(queue, jobs, addJobs(queue, jobs, room, now, made));
    });
  }

  async addOnce(
    name: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
    partOf?: HeldAttempt,
  ): Promise<AddedOnce> {
    const early = (queue: StoredQueue, now: number): ShownOnce | undefined => {
      if (partOf !== undefined && !this.#holds(partOf)) return { kind: 'lost' };
      return recall(queue, add, identity, now);
    };
    const shown = await this.#add<ShownOnce>(name, add.jobs, early, (queue, now, made) => {
      const known = early(queue, now);
      if (known !== undefined) return known;
      const additions = addOnce(queue, add.jobs, add, identity, add.defaults, now, made);
      return { kind: 'added', jobs: addedJobs(queue, add.jobs, additions) };
    });
    return whenShown(shown);
  }

  /** @param early returns the answer where nothing is to be added. */
  #add<Answer>(
    name: QueueName,
    jobs: readonly NewJob[],
    early: ((queue: StoredQueue, now: number) => Answer | undefined) | undefined,
    add: (queue: StoredQueue, now: number, made?: MadeJobs) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    let first = 0;
    return this.#adding.run<Answer>({
      jobs,
      queueOf: () => name,
      begin: (now) => {
        const queue = this.#store.open(name);
        const known = early?.(queue, now);
        if (known === undefined) first = reserveNumbers(queue, jobs.length);
        return known;
      },
      make: (position, now) => madeJob(jobs[position] as NewJob, position, first, now),
      all: (now, staged) => add(this.#store.open(name), now, staged && { ...staged, first }),
    });
  }

  #holds({ queue: name, attempt }: HeldAttempt): boolean {
    const queue = this.#store.find(name);
    return queue !== undefined && holdsJob(queue, attempt);
  }

  async recall(
    name: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined> {
    const shown = this.#store.stepIfAny(name, (queue, now) => recall(queue, add, identity, now));
    return shown && whenShown(shown);
  }

  async list(name: QueueName, query: JobsQuery): Promise<JobsSlice> {
    const queue = this.#store.peek(name);
    const { listed } = queue.jobs;
    const [counts, jobs] = [listed.counts(), listed.slice(query)];
    if (jobs.every(({ isWhole }) => isWhole) && charactersOf(jobs) <= LARGEST_PIECE) {
      return { counts, jobs: [jobs.map((job) => shownJob(job, name))] };
    }
    return {
      counts,
      jobs: shownPieces(
        queue,
        jobs.map(({ id }) => id),
      ),
    };
  }

  async summary(queue: QueueName): Promise<QueueSummary> {
    return this.#store.peek(queue).jobs.listed.summary();
  }

  async find(queue: QueueName, jobId: string): Promise<Job | undefined> {
    const job = await readJob(this.#store, { queue, id: jobId });
    return job && shownJob(job, queue);
  }

  async *findEach(name: QueueName, jobIds: readonly string[]): AsyncGenerator<readonly Job[]> {
    const queue = this.#store.find(name);
    if (queue !== undefined) yield* shownPieces(queue, jobIds);
  }

  async attempts(queue: QueueName, jobId: string): Promise<JobAttempts | undefined> {
    const job = await readJob(this.#store, { queue, id: jobId });
    if (job === undefined) return undefined;
    const { attempts, group } = job;
    const { tm: carrier } = optionsOf(job);
    return {
      count: attemptsCount(attempts),
      attempts,
      ...(group && { group: group.id }),
      ...(typeof carrier === 'string' && { carrier }),
    };
  }

  async logs(
    queue: QueueName,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined> {
    const found = this.#store.find(queue);
    return found && readLog(found, jobId, start, length);
  }
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
