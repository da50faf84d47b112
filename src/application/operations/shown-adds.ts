import type { RepeatableAdd } from '../jobs/jobs.ts';
import type { Caller } from '../../domain/access/caller.ts';
import {
  entitled,
  withOptionsShownTo,
  withoutValues,
  type Visible,
} from '../../domain/access/visible.ts';
import { addedJobJson, type AddedJobJson } from '../../domain/jobs/job-json.ts';
import { wasThere, type AddedJob, type JobInput } from '../../domain/jobs/job.ts';

/** The jobs of an add. */
export interface Added extends RepeatableAdd {
  /** Undefined for an add that did not wait. */
  readonly awaited: AwaitedEnd | undefined;
  /** What the caller sent. */
  readonly sent: readonly JobInput[];
}

/** The wait of an add for the end of its single job. */
export interface AwaitedEnd {
  /** How long (ms) it was to wait. */
  readonly wait: number;
  readonly hasEnded: boolean;
}

/** An added job as its caller sees it. Data that arrived as text is that text. */
export type ShownAdd = Visible<Partial<AddedJobJson>>;

/** The answer to an add, as its caller sees it. */
export interface AddedJobs extends Pick<Added, 'isRepeated' | 'awaited'> {
  /** There may be many, so each is made when it is read. They can be iterated once. */
  readonly jobs: Iterable<ShownAdd>;
}

/** The jobs of an add as its caller sees them, in turn: there may be many. They can be iterated once. */
export function* shownAdds(
  { jobs, awaited, sent }: Added,
  caller: Caller,
  queuePrefix: string,
): Generator<ShownAdd> {
  const seesValues = caller.may('data');
  const hasEnded = awaited?.hasEnded === true;
  for (const [index, job] of jobs.entries()) {
    const added = addedJobJson(job, queuePrefix);
    const shown = 'opts' in added ? withOptionsShownTo(caller, added) : added;
    yield seesValues ? entitled(shown) : ownValues(shown, job, sent[index], hasEnded);
  }
}

/** An added job for a caller that may not see values: of a job that its add stored, it sees the values that it sent. */
function ownValues(
  shown: AddedJobJson,
  job: AddedJob,
  sent: JobInput | undefined,
  hasEnded: boolean,
): ShownAdd {
  if (wasThere(job) || !('data' in shown)) return withoutValues(shown);
  if (!hasEnded) return entitled(shown);
  // Others may have changed the data of the job in the meantime.
  return entitled({ ...withoutValues(shown), data: sent?.data } as Partial<AddedJobJson>);
}
