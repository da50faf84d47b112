import { invalidRequest } from '../../../../domain/errors.ts';
import { isJobStatus, JOB_STATUSES, type JobStatus } from '../../../../domain/job-status.ts';
import type { ParameterParser, QuerySchema } from '../query.ts';

interface Slice {
  readonly start: number;
  readonly length: number;
}

const DEFAULT_LENGTH = 10;

const slice: QuerySchema<Slice> = {
  start: wholeNumber(0),
  length: wholeNumber(DEFAULT_LENGTH),
};

export const jobLogsQuery: QuerySchema<Slice> = slice;

export const jobsPageQuery: QuerySchema<Slice & { readonly statuses: readonly JobStatus[] }> = {
  statuses,
  ...slice,
};

function wholeNumber(byDefault: number): ParameterParser<number> {
  return (text, name) => {
    if (text === undefined) return byDefault;
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(value)) return value;
    throw invalidRequest(`${name} must be a whole decimal number, 0 or greater`, name);
  };
}

function statuses(text: string | undefined, name: string): readonly JobStatus[] {
  const names = (text ?? 'all').split(',');
  const unknown = names.find((status) => status !== 'all' && !isJobStatus(status));
  if (unknown !== undefined) {
    const accepted = [...JOB_STATUSES, 'all'].join(', ');
    throw invalidRequest(
      `${name} must be a list of ${accepted}, but names "${unknown.slice(0, 100)}"`,
      name,
    );
  }
  return names.includes('all') ? JOB_STATUSES : names.filter(isJobStatus);
}
