import { invalidRequest } from '../../../../domain/errors.ts';
import { isJobStatus, JOB_STATUSES, type JobStatus } from '../../../../domain/job-status.ts';
import { pageRules, type Page } from '../../../../domain/page.ts';
import type { Rule } from '../../../../domain/rule.ts';
import { excerpt } from '../../../../domain/text.ts';
import type { ParameterParser, QuerySchema } from '../query.ts';

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
  return (text, name) => {
    if (text === undefined) return byDefault;
    if (!/^\d+$/.test(text)) {
      throw invalidRequest(`${name} must be a whole decimal number, 0 or greater`, name);
    }
    const value = Number(text);
    if (!rule.accepts(value)) throw invalidRequest(`${name} must ${rule.must}`, name);
    return value;
  };
}

function statuses(text: string | undefined, name: string): readonly JobStatus[] {
  const names = (text ?? 'all').split(',').map((status) => status.trim());
  const unknown = names.find((status) => status !== 'all' && !isJobStatus(status));
  if (unknown !== undefined) {
    const accepted = [...JOB_STATUSES, 'all'].join(', ');
    throw invalidRequest(
      `${name} must be a list of ${accepted}, but names "${excerpt(unknown)}"`,
      name,
    );
  }
  return names.includes('all') ? JOB_STATUSES : names.filter(isJobStatus);
}
