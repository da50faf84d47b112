import { DomainError, isStoreUnavailable } from '../../domain/errors.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import { wasThere, type AddedJob, type Job, type NewJob } from '../../domain/jobs/job.ts';
import {
  jobOfLetter,
  lacking,
  originOfLetter,
  type LetterOrigin,
} from '../../domain/jobs/letter.ts';
import {
  paceOf,
  redrivenFields,
  redriveOf,
  targetOf,
  type Redrive,
  type RedriveInput,
} from '../../domain/jobs/redrive.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { JobScanPort } from '../ports/job-scan-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import { allEnded } from '../running/all-ended.ts';
import { inTurns } from '../running/in-turns.ts';
import { onceChanged } from '../running/once-changed.ts';
import { MOST_SAMPLES, type RepairResult } from './bulk-repairs.ts';
import { findJobs, gatherWaiting, type FoundJobs } from './found-jobs.ts';

/** After how many ms a call that keeps to a rate begins no further piece: its client calls again. */
const MOST_TIME = 20_000;

export interface RedrivesDependencies extends Pick<CommonPorts, 'observer' | 'clock'> {
  readonly scan: Pick<JobScanPort, 'scan' | 'look'>;
  readonly queues: Pick<QueuePort, 'add' | 'addOnce' | 'findEach'>;
  readonly control: Pick<JobControlPort, 'bringTogether' | 'removeAlone'>;
}

/** A letter that a redrive takes. */
interface FoundLetter {
  readonly id: string;
  readonly state: JobState;
  readonly target: QueueName;
}

/** The outcome for a letter; `moved`: it left its state meanwhile; `stays`: another job stands for its deduplication id. */
type Outcome = 'done' | 'moved' | 'skipped' | 'stays';

/** Brings the letters of a dead letter queue back as the jobs that they were, in short steps. */
export class Redrives {
  readonly #dependencies: RedrivesDependencies;

  constructor(dependencies: RedrivesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Ignores letters that come in the meantime. A letter is added where it goes and then removed where it was: when the
   * replica dies in between, or it throws, a repetition adds no letter twice. When the store fails after some letters are
   * back, it answers with these, and the others remain.
   *
   * @param mayAdd whether the caller may add to a queue; other letters stay and count as `skipped`.
   * @param ending ends a redrive that keeps to a rate before its next piece.
   * @throws DomainError `invalid-request` naming the field, or `forbidden` when letters match and none may go.
   */
  async redrive(
    queue: QueueName,
    input: RedriveInput,
    mayAdd: (queue: string) => boolean,
    ending: () => AbortSignal,
  ): Promise<RepairResult> {
    const redrive = redriveOf(queue, input);
    const { found, refused } = await this.#find(queue, redrive, mayAdd);
    const matched = found.matched + refused;
    if (refused > 0 && found.matched === 0) {
      throw new DomainError('forbidden', 'This token may not add jobs where these letters go');
    }
    if (redrive.isDryRun) {
      const samples = found.jobs.slice(0, MOST_SAMPLES).map(({ id }) => id);
      return { ...resultOf(matched, refused, []), samples };
    }
    return resultOf(matched, refused, await this.#bringBackAll(queue, redrive, found.jobs, ending));
  }

  async #find(
    queue: QueueName,
    redrive: Redrive,
    mayAdd: (queue: string) => boolean,
  ): Promise<{ readonly found: FoundJobs<FoundLetter>; readonly refused: number }> {
    const { filter, states, limit } = redrive;
    let refused = 0;
    const search = { ids: filter.ids, states, fields: redrivenFields(redrive), limit };
    const found = await findJobs(this.#dependencies.scan, queue, search, (job) => {
      const target = targetOf(redrive, job);
      if (target === undefined) return undefined;
      if (mayAdd(target)) return { id: job.id, state: job.state, target };
      refused += 1;
      return undefined;
    });
    return { found, refused };
  }

  async #bringBackAll(
    queue: QueueName,
    { rate }: Redrive,
    letters: readonly FoundLetter[],
    ending: () => AbortSignal,
  ): Promise<readonly Outcome[]> {
    const { clock, control } = this.#dependencies;
    await gatherWaiting(control, queue, letters);
    const pace = paceOf(rate);
    const signal = rate === undefined ? undefined : ending();
    const start = clock.now();
    const outcomes: Outcome[] = [];
    for await (const some of inTurns(clock, letters, pace.size)) {
      const began = clock.now();
      if (signal?.aborted === true || (signal !== undefined && began - start >= MOST_TIME)) break;
      try {
        await this.#bringBack(queue, some, outcomes);
      } catch (error) {
        if (!outcomes.includes('done') || !isStoreUnavailable(error)) throw error;
        break;
      }
      // After the last piece too: a client that calls again for the rest keeps to the rate so.
      if (signal !== undefined) {
        await clock.sleep(pace.pause(some.length) - (clock.now() - began), signal);
      }
    }
    return outcomes;
  }

  /** @param outcomes receives that of each letter, also when it throws since the store failed for others. */
  async #bringBack(
    queue: QueueName,
    letters: readonly FoundLetter[],
    outcomes: Outcome[],
  ): Promise<void> {
    const { queues } = this.#dependencies;
    const found = new Map(letters.map((letter) => [letter.id, letter]));
    let gone = letters.length;
    for await (const jobs of queues.findEach(queue, [...found.keys()])) {
      const some = jobs.map((job) => this.#bringBackOne(job, found.get(job.id)));
      await allEnded(some, (ended) => outcomes.push(...ended));
      gone -= jobs.length;
    }
    outcomes.push(...Array.from({ length: gone }, () => 'moved' as const));
  }

  async #bringBackOne(letter: Job, found: FoundLetter | undefined): Promise<Outcome> {
    const origin = originOfLetter(letter.opts);
    if (found === undefined || origin === undefined || letter.state !== found.state) return 'moved';
    if (letter.redactedOn !== undefined) return 'skipped';
    const { target, state } = found;
    if (!(await this.#add(letter, origin, target))) return 'stays';
    const { control } = this.#dependencies;
    const { kind } = await onceChanged(control.removeAlone(letter.queue, letter.id, [state]));
    return kind === 'done' ? 'done' : 'moved';
  }

  /**
   * Adds the job of a letter, with a new id where another job has its own.
   *
   * @returns false when another job stands for its deduplication id, so that it was not added. The original itself does
   * not stand in its way.
   */
  async #add(letter: Job, origin: LetterOrigin, target: QueueName): Promise<boolean> {
    let job = jobOfLetter(letter);
    for (;;) {
      const added = await this.#addOnce(letter, target, job);
      if (added === undefined || !wasThere(added)) return added !== undefined;
      const isOriginal = target === origin.queue && added.id === origin.id;
      if (added.deduplicated !== true && job.opts.jobId !== undefined) job = lacking(job, 'jobId');
      else if (added.deduplicated === true && isOriginal) job = lacking(job, 'deduplication');
      else return false;
    }
  }

  /** @returns undefined while another call adds the same letter. */
  async #addOnce(letter: Job, target: QueueName, job: NewJob): Promise<AddedJob | undefined> {
    const { queues } = this.#dependencies;
    const jobs = [job];
    const { jobId, deduplication } = job.opts;
    if (deduplication !== undefined) {
      // Its id keeps it from being added twice, and what is remembered would keep it from being added later.
      const [added] = await queues.add(target, jobs);
      return this.#counted(target, added);
    }
    const key = `redrive:${letter.queue}:${letter.id}:${letter.timestamp}:${jobId ?? ''}`;
    const add = { jobs, defaults: {} };
    const outcome = await queues.addOnce(target, add, { key, body: '' });
    if (outcome.kind === 'repeated') return outcome.jobs[0];
    return outcome.kind === 'added' ? this.#counted(target, outcome.jobs[0]) : undefined;
  }

  #counted(queue: QueueName, added: AddedJob | undefined): AddedJob | undefined {
    if (added !== undefined && !wasThere(added)) {
      this.#dependencies.observer.observe({ kind: 'added', queue, jobs: 1 });
    }
    return added;
  }
}

/** @param refused how many letters the caller may not add where they came from. */
function resultOf(matched: number, refused: number, outcomes: readonly Outcome[]): RepairResult {
  const count = (wanted: Outcome): number => outcomes.filter((each) => each === wanted).length;
  const [done, skipped] = [count('done'), count('skipped') + refused];
  const remaining = matched - done - skipped - count('moved');
  return { matched, done, remaining, ...(skipped > 0 && { skipped }) };
}
