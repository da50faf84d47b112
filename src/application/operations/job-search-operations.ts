import { shownTo } from '../../domain/access/visible.ts';
import { type DataMatch, dataMatch } from '../../domain/jobs/data-match.ts';
import { jobFilterFields } from '../../domain/jobs/job-filter.ts';
import { readJobJson } from '../../domain/jobs/job-json.ts';
import { searchLength } from '../../domain/jobs/search-length.ts';
import { optional, string, object } from '../../domain/values/shape.ts';
import type { JobSearch } from '../jobs/job-search.ts';
import type { LetterOrigins } from '../jobs/letter-origins.ts';
import { anyOf } from './answers/any-of.ts';
import { jobSearchFields } from './answers/job-answers.ts';
import { summarySearchAnswer } from './answers/summary-answers.ts';
import { ofQueue } from './in-queue.ts';
import type { Option } from './input.ts';
import { operation } from './operation.ts';
import { statusList, textOption, numberOption, wholeNumber, summaryView } from './options.ts';
import { answers } from './out.ts';
import { seenPieces } from './seen-pieces.ts';

const dataOption: Option<DataMatch | undefined> = {
  kind: 'option',
  description: 'A value in the data: its path, a colon and the value, such as customer.id:17',
  schema: { type: 'string', pattern: '^[^:]+:' },
  parse: (text, refuse) => {
    const match = text === undefined ? undefined : dataMatch(text);
    if (text !== undefined && match === undefined) {
      refuse('must be a path, a colon and a value, such as customer.id:17');
    }
    return match;
  },
};

/** The search for jobs. */
export function jobSearchOperations(
  search: JobSearch,
  origins: LetterOrigins,
  queuePrefix: string,
) {
  return {
    searchJobs: operation({
      access: 'read',
      fieldRights: { data: 'data' },
      summary: 'Search the jobs of a queue, some in each call',
      description:
        'Each call looks at a bounded number of jobs and answers with a cursor; call again with ' +
        'it until it is null. All conditions that are given must hold.',
      in: {
        ...ofQueue,
        statuses: statusList(),
        name: textOption(jobFilterFields.name),
        group: textOption(jobFilterFields.group),
        reason: textOption(jobFilterFields.reason),
        status: numberOption(jobFilterFields.status),
        from: numberOption(jobFilterFields.from),
        to: numberOption(jobFilterFields.to),
        data: dataOption,
        cursor: textOption(optional(string, 'The cursor of the answer before; none to begin')),
        length: wholeNumber(searchLength, 10, 'Most jobs to return'),
        ...summaryView,
      },
      out: answers(
        anyOf(object('JobSearch', jobSearchFields), summarySearchAnswer),
        'The matching jobs among those that were examined',
      ),
      perform: async ({ queue, cursor, length, view, ...given }, { caller }) => {
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
