import { JsonText } from '../../../../domain/values/json.ts';
import { addedJobJson, type AddedJobJson } from '../../../../domain/jobs/job-json.ts';
import type { AddedJob } from '../../../../domain/jobs/job.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { json, jsonReply, type Reply, type ReplyHead } from '../messages/reply.ts';

/** How many jobs are serialized before other requests get a turn. */
const JOBS_PER_TURN = 1000;

/** What a client sees of an added job. */
export type ShowAddedJob = (shown: AddedJobJson, job: AddedJob) => Partial<AddedJobJson>;

/**
 * The answer to an add. Data that arrived as text is returned as the same text.
 *
 * @param show what the client may see of a job; all of it unless given.
 */
export async function addedJobs(
  jobs: readonly AddedJob[],
  queuePrefix: string,
  turns: EventLoopTurns,
  {
    status = 200,
    headers = {},
    show = (shown) => shown,
  }: Partial<ReplyHead> & { readonly show?: ShowAddedJob | undefined } = {},
): Promise<Reply> {
  const isShort = jobs.length <= JOBS_PER_TURN;
  if (isShort && !jobs.some(({ data }) => data instanceof JsonText)) {
    return json(
      jobs.map((job) => show(addedJobJson(job, queuePrefix), job)),
      status,
      headers,
    );
  }
  const pieces: string[] = [];
  for (let first = 0; first < jobs.length; first += JOBS_PER_TURN) {
    if (first > 0) await turns.next();
    const piece = jobs.slice(first, first + JOBS_PER_TURN);
    const texts = piece.map((job) => jobText(job, show(addedJobJson(job, queuePrefix), job)));
    pieces.push(texts.join(','));
  }
  return jsonReply(`[${pieces.join(',')}]`, status, headers);
}

function jobText({ data }: AddedJob, shown: Partial<AddedJobJson>): string {
  const isText = data instanceof JsonText;
  if (!isText || !('name' in shown) || !('data' in shown)) return JSON.stringify(shown);
  const { id, name } = shown;
  const rest = { ...shown, id: undefined, name: undefined, data: undefined };
  const [begin, end] = [JSON.stringify({ id, name }), JSON.stringify(rest)];
  return `${begin.slice(0, -1)},"data":${data.text},${end.slice(1)}`;
}
