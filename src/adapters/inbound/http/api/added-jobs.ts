import { JsonText } from '../../../../domain/values/json.ts';
import { addedJobJson } from '../../../../domain/jobs/job-json.ts';
import type { AddedJob } from '../../../../domain/jobs/job.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { json, jsonReply, type Reply, type ReplyHead } from '../messages/reply.ts';

/** How many jobs are serialized before other requests have a turn. */
const JOBS_PER_TURN = 1000;

/** The answer to an add. Data that arrived as text is returned as the same text. */
export async function addedJobs(
  jobs: readonly AddedJob[],
  queuePrefix: string,
  turns: EventLoopTurns,
  { status = 200, headers = {} }: Partial<ReplyHead> = {},
): Promise<Reply> {
  const isShort = jobs.length <= JOBS_PER_TURN;
  if (isShort && !jobs.some(({ data }) => data instanceof JsonText)) {
    return json(
      jobs.map((job) => addedJobJson(job, queuePrefix)),
      status,
      headers,
    );
  }
  const pieces: string[] = [];
  for (let first = 0; first < jobs.length; first += JOBS_PER_TURN) {
    if (first > 0) await turns.next();
    const piece = jobs.slice(first, first + JOBS_PER_TURN);
    pieces.push(piece.map((job) => jobText(job, queuePrefix)).join(','));
  }
  return jsonReply(`[${pieces.join(',')}]`, status, headers);
}

function jobText(job: AddedJob, queuePrefix: string): string {
  const { data } = job;
  const shown = addedJobJson(job, queuePrefix);
  if (!(data instanceof JsonText) || !('name' in shown)) return JSON.stringify(shown);
  const { id, name } = shown;
  const rest = { ...shown, id: undefined, name: undefined, data: undefined };
  const [begin, end] = [JSON.stringify({ id, name }), JSON.stringify(rest)];
  return `${begin.slice(0, -1)},"data":${data.text},${end.slice(1)}`;
}
