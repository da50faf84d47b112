import { jobSummaryShape } from '../../../domain/jobs/job-summary.ts';
import { listOf, object, required } from '../../../domain/values/shape.ts';
import { jobsPageFields, jobSearchFields } from './job-answers.ts';

const jobs = required(listOf(jobSummaryShape), 'The jobs of this page');

export const summariesPageAnswer = object('SummariesPage', { ...jobsPageFields, jobs });

export const summarySearchAnswer = object('SummarySearch', { ...jobSearchFields, jobs });
