import { JsonText } from '../../../../domain/values/json.ts';
import type { AddedJobs, ShownAdd } from '../../../../application/operations/shown-adds.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { replayedHeaders } from './idempotency-key.ts';
import { json, jsonReply, type Reply } from '../messages/reply.ts';

/** How many jobs are serialized before other requests get a turn. */
const JOBS_PER_TURN = 1000;

/** The answer to an add. Data that arrived as text is returned as the same text. */
export async function addedJobs(
  { jobs, isRepeated, awaited }: AddedJobs,
  turns: EventLoopTurns,
): Promise<Reply> {
  const status = awaited?.hasEnded === false ? 202 : 200;
  const headers = {
    ...replayedHeaders(isRepeated),
    ...(awaited && { 'Preference-Applied': `wait=${awaited.wait / 1000}` }),
  };
  const pieces: string[] = [];
  let piece: ShownAdd[] = [];
  for (const job of jobs) {
    if (piece.length === JOBS_PER_TURN) {
      pieces.push(piece.map(jobText).join(','));
      piece = [];
      await turns.next();
    }
    piece.push(job);
  }
  const isShort = pieces.length === 0;
  if (isShort && !piece.some((job) => rawData(job) !== undefined)) {
    return json(piece, status, headers);
  }
  pieces.push(piece.map(jobText).join(','));
  return jsonReply(`[${pieces.join(',')}]`, status, headers);
}

function jobText(shown: ShownAdd): string {
  const raw = rawData(shown);
  if (raw === undefined || !('name' in shown)) return JSON.stringify(shown);
  const { id, name } = shown;
  const rest = { ...shown, id: undefined, name: undefined, data: undefined };
  const [begin, end] = [JSON.stringify({ id, name }), JSON.stringify(rest)];
  return `${begin.slice(0, -1)},"data":${raw},${end.slice(1)}`;
}

/** The data of a job as it came, if it came as text. */
function rawData(shown: ShownAdd): string | undefined {
  const data: unknown = 'data' in shown ? shown.data : undefined;
  return data instanceof JsonText ? data.text : undefined;
}
