import { jobSummaryFields } from '../../../domain/jobs/job-summary.ts';
import { listOf, object, required } from '../../../domain/values/shape.ts';
import { jobsPageFields, jobSearchFields, suspendedField } from './job-answers.ts';

/** A job without the values of clients. */
export const jobSummaryAnswer = object('JobSummary', {
  ...jobSummaryFields,
  suspended: suspendedField,
});

const jobs = required(listOf(jobSummaryAnswer), 'The jobs of this page');

export const summariesPageAnswer = object('SummariesPage', { ...jobsPageFields, jobs });

export const summarySearchAnswer = object('SummarySearch', { ...jobSearchFields, jobs });
