import { failuresWindow } from '../../../../../domain/failures.ts';
import { isJobStatus, JOB_STATUSES, type JobStatus } from '../../../../../domain/job-status.ts';
import { pageLength, pageStart, type Page } from '../../../../../domain/page.ts';
import type { Shape } from '../../../../../domain/shape.ts';
import { excerpt } from '../../../../../domain/text.ts';
import type { QueryParameter, QuerySchema } from '../../messages/query.ts';

export const jobLogsQuery: QuerySchema<Page> = {
  start: wholeNumber(pageStart, 0, 'How many lines to skip'),
  length: wholeNumber(pageLength, 10, 'Most lines to return'),
};

export const failuresQuery: QuerySchema<{ readonly window: number }> = {
  window: wholeNumber(
    failuresWindow,
    1000,
    'How many of the latest failed jobs to look at, at most',
  ),
};

export const jobsPageQuery: QuerySchema<Page & { readonly statuses: readonly JobStatus[] }> = {
  statuses: statusList(),
  start: wholeNumber(pageStart, 0, 'How many jobs to skip'),
  length: wholeNumber(pageLength, 10, 'Most jobs to return'),
};

function wholeNumber(
  shape: Shape<number>,
  byDefault: number,
  description: string,
): QueryParameter<number> {
  return {
    description,
    schema: { ...shape.schema, default: byDefault },
    parse: (text, refuse) => {
      if (text === undefined) return byDefault;
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      if (Number.isNaN(value)) refuse('must be a whole decimal number, 0 or greater');
      else if (!shape.accepts(value)) refuse(`must ${shape.must}`);
      return value;
    },
  };
}

/** The names may have blanks around them, and `all` among them stands for every status. */
function statusList(): QueryParameter<readonly JobStatus[]> {
  const accepted = [...JOB_STATUSES, 'all'];
  const name = ` *(${accepted.join('|')}) *`;
  return {
    description: `Which jobs: a list, with commas, of ${accepted.join(', ')}`,
    schema: { type: 'string', pattern: `^${name}(,${name})*$`, default: 'all' },
    parse: (text = 'all', refuse) => {
      const names = text.split(',').map((each) => each.trim());
      const unknown = names.find((each) => !accepted.includes(each));
      if (unknown !== undefined) {
        refuse(`must be a list of ${accepted.join(', ')}, but names "${excerpt(unknown)}"`);
      }
      return names.includes('all') ? JOB_STATUSES : names.filter(isJobStatus);
    },
  };
}
