import { shownTo } from '../../domain/access/visible.ts';
import type { DataMatch } from '../../domain/jobs/data-match.ts';
import { readJobJson } from '../../domain/jobs/job-json.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import type { JobSearch } from '../jobs/job-search.ts';
import type { LetterOrigins } from '../jobs/letter-origins.ts';
import type { InQueue } from './in-queue.ts';
import { operation } from './operation.ts';
import { seenPieces } from './seen-pieces.ts';

/** All conditions that are given must hold. */
export interface JobSearchInput extends InQueue {
  readonly statuses: readonly JobState[];
  readonly name: string | undefined;
  readonly reason: string | undefined;
  readonly status: number | undefined;
  readonly group: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly data: DataMatch | undefined;
  /** That of the answer before; undefined to begin. */
  readonly cursor: string | undefined;
  readonly length: number;
  readonly view: 'summary' | undefined;
}

/** The search for jobs. */
export function jobSearchOperations(
  search: JobSearch,
  origins: LetterOrigins,
  queuePrefix: string,
) {
  return {
    search: operation({
      id: 'searchJobs',
      access: 'read',
      fieldRights: { data: 'data' },
      perform: async ({ queue, cursor, length, view, ...given }: JobSearchInput, { caller }) => {
        const conditions = Object.entries(given).filter(([, value]) => value !== undefined);
        const filter = Object.fromEntries(conditions);
        const query = { filter, cursor: cursor ?? null, length };
        if (view === 'summary') return { summaries: await search.summarize(queue, query) };
        const found = await search.search(queue, query);
        return { found: { ...found, jobs: await origins.ofPieces(found.jobs, caller.mayUse) } };
      },
      view: ({ summaries, found }, caller) =>
        summaries === undefined
          ? {
              ...found,
              jobs: seenPieces(found.jobs, ({ job, origin }) =>
                shownTo(caller, readJobJson(job, origin, queuePrefix)),
              ),
            }
          : { ...summaries, jobs: seenPieces(summaries.jobs, (job) => shownTo(caller, job)) },
    }),
  };
}

export type JobSearchOperations = ReturnType<typeof jobSearchOperations>;
