import { JsonText } from '../../../../domain/values/json.ts';
import { addedJobJson, type AddedJobJson } from '../../../../domain/jobs/job-json.ts';
import type { AddedJob, JobInput } from '../../../../domain/jobs/job.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { withOwnData } from './shown-values.ts';
import { json, jsonReply, type Reply, type ReplyHead } from '../messages/reply.ts';

/** How many jobs are serialized before other requests have a turn. */
const JOBS_PER_TURN = 1000;

/**
 * The answer to an add. Data that arrived as text is returned as the same text.
 *
 * @param inputs the jobs that were asked for, in their order, for a client that may see no values but its own.
 */
export async function addedJobs(
  jobs: readonly AddedJob[],
  queuePrefix: string,
  turns: EventLoopTurns,
  {
    status = 200,
    headers = {},
    inputs,
  }: Partial<ReplyHead> & { readonly inputs?: readonly JobInput[] | undefined } = {},
): Promise<Reply> {
  const isShort = jobs.length <= JOBS_PER_TURN;
  if (isShort && !jobs.some(({ data }) => data instanceof JsonText)) {
    return json(
      jobs.map((job, index) => shownJob(job, queuePrefix, inputs, index)),
      status,
      headers,
    );
  }
  const pieces: string[] = [];
  for (let first = 0; first < jobs.length; first += JOBS_PER_TURN) {
    if (first > 0) await turns.next();
    const piece = jobs.slice(first, first + JOBS_PER_TURN);
    const texts = piece.map((job, index) =>
      jobText(job, shownJob(job, queuePrefix, inputs, first + index)),
    );
    pieces.push(texts.join(','));
  }
  return jsonReply(`[${pieces.join(',')}]`, status, headers);
}

function shownJob(
  job: AddedJob,
  queuePrefix: string,
  inputs: readonly JobInput[] | undefined,
  index: number,
): Partial<AddedJobJson> {
  const whole = addedJobJson(job, queuePrefix);
  return inputs === undefined ? whole : withOwnData(whole, inputs[index]);
}

function jobText({ data }: AddedJob, shown: Partial<AddedJobJson>): string {
  const isText = data instanceof JsonText;
  if (!isText || !('name' in shown) || !('data' in shown)) return JSON.stringify(shown);
  const { id, name } = shown;
  const rest = { ...shown, id: undefined, name: undefined, data: undefined };
  const [begin, end] = [JSON.stringify({ id, name }), JSON.stringify(rest)];
  return `${begin.slice(0, -1)},"data":${data.text},${end.slice(1)}`;
}
