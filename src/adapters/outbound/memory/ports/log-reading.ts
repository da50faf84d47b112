import type { JobLogs } from '../../../../application/ports/queue-port.ts';
import { numberedRecordId, recordKey } from '../records/record-ids.ts';
import { readPiece, readPieces, type ValueReading } from '../records/value-reading.ts';
import type { PartOfLog, WrittenLogPiece } from '../state/job-log.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { JobReading } from './job-reading.ts';
import { inPieces } from './pieces.ts';

/** Pieces of a log that one read has at most. */
const MOST_AT_ONCE = 250;

/** The lines of the log of a job from the oldest, skipping `start`; undefined when the job does not exist. */
export async function readLog(
  queue: StoredQueue,
  jobId: string,
  start: number,
  length: number,
): Promise<JobLogs | undefined> {
  const job = queue.jobs.find(jobId);
  if (job === undefined) return undefined;
  if (job.hasOlderLog) {
    const lines = await new JobReading(queue).olderLog(job);
    const wanted = lines.slice(start, start + length);
    return { count: lines.length, logs: inPieces(wanted, lengthOf, (piece) => piece) };
  }
  const count = job.log?.count ?? 0;
  const parts = job.log?.parts(start, length) ?? [];
  const first = await readPiece(queue.values, parts, partsOfLog(queue, jobId));
  const rest = parts.slice(first.length);
  return { count, logs: rest.length === 0 ? [first.flat()] : allOf(queue, jobId, first, rest) };
}

async function* allOf(
  queue: StoredQueue,
  jobId: string,
  first: readonly (readonly string[])[],
  rest: readonly PartOfLog[],
): AsyncGenerator<readonly string[]> {
  yield first.flat();
  for await (const piece of readPieces(queue.values, rest, partsOfLog(queue, jobId))) {
    yield piece.flat();
  }
}

/** Lines that are gone by now are left out. */
function partsOfLog(
  { jobs, name }: StoredQueue,
  jobId: string,
): ValueReading<PartOfLog, number, readonly string[], readonly string[]> {
  return {
    kind: {
      keys: (number) => [recordKey('log-piece', name, numberedRecordId(jobId, number))],
      value: ([text]) => (text === undefined ? [] : (JSON.parse(text) as WrittenLogPiece).lines),
    },
    most: MOST_AT_ONCE,
    elsewhere: ({ number }) =>
      jobs.find(jobId)?.log?.piece(number)?.isWhole === false ? number : undefined,
    show: ({ number, from, to }, read = []) => {
      const piece = jobs.find(jobId)?.log?.piece(number);
      return (piece?.isWhole === true ? piece.value : read).slice(from, to);
    },
    sizeOf: (lines) => lines.reduce((sum, line) => sum + line.length, 0),
  };
}

function lengthOf(line: string): number {
  return line.length;
}
