import { isJobStatus, JOB_STATUSES, type JobStatus } from '../../../../../domain/job-status.ts';
import { pageRules, type Page } from '../../../../../domain/page.ts';
import type { Rule } from '../../../../../domain/rule.ts';
import { excerpt } from '../../../../../domain/text.ts';
import type { ParameterParser, QuerySchema } from '../../messages/query.ts';

const DEFAULT_LENGTH = 10;

const page: QuerySchema<Page> = {
  start: wholeNumber(0, pageRules.start),
  length: wholeNumber(DEFAULT_LENGTH, pageRules.length),
};

export const jobLogsQuery: QuerySchema<Page> = page;

export const jobsPageQuery: QuerySchema<Page & { readonly statuses: readonly JobStatus[] }> = {
  statuses,
  ...page,
};

function wholeNumber(byDefault: number, rule: Rule): ParameterParser<number> {
  return (text, refuse) => {
    if (text === undefined) return byDefault;
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (Number.isNaN(value)) refuse('must be a whole decimal number, 0 or greater');
    else if (!rule.accepts(value)) refuse(`must ${rule.must}`);
    return value;
  };
}

function statuses(text: string | undefined, refuse: (words: string) => void): readonly JobStatus[] {
  const names = (text ?? 'all').split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== 'all' && !isJobStatus(name));
  if (unknown !== undefined) {
    const accepted = [...JOB_STATUSES, 'all'].join(', ');
    refuse(`must be a list of ${accepted}, but names "${excerpt(unknown)}"`);
  }
  return names.includes('all') ? JOB_STATUSES : names.filter(isJobStatus);
}
