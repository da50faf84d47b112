import { JsonText } from '../../../domain/json.ts';
import type { AddedJob } from '../../../domain/job.ts';
import { json, jsonReply, type Reply } from './reply.ts';

/** The answer to an add. Data that came as text goes back as the same text. */
export function addedJobs(jobs: readonly AddedJob[]): Reply {
  if (!jobs.some(({ data }) => data instanceof JsonText)) return json(jobs);
  return jsonReply(`[${jobs.map(jobText).join(',')}]`);
}

function jobText(job: AddedJob): string {
  const { id, name, data, ...rest } = job;
  if (!(data instanceof JsonText)) return JSON.stringify(job);
  const [begin, end] = [JSON.stringify({ id, name }), JSON.stringify(rest)];
  return `${begin.slice(0, -1)},"data":${data.text},${end.slice(1)}`;
}
