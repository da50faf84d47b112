import { setImmediate } from 'node:timers/promises';
import type {
  JobScanPort,
  ScannedField,
  ScannedJob,
  ScanStep,
} from '../../../../application/ports/job-scan-port.ts';
import { lastStatusOf } from '../../../../domain/attempts/attempt-record.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { Json } from '../../../../domain/values/json.ts';
import { unknownCursor } from '../../../../domain/jobs/unknown-cursor.ts';
import { cursorPlace, cursorText } from '../../../shared/cursor-text.ts';
import { originOfLetter } from '../../../../domain/jobs/letter.ts';
import {
  optionsOf,
  type JobRecord,
  type ListedJob,
  type Position,
} from '../../../../domain/records/job-record.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { JobReading } from './job-reading.ts';

/** Jobs that one turn of the event loop reads. */
const JOBS_PER_STEP = 250;

const NOTHING: ScanStep = { jobs: [], cursorAfter: () => null };

/** Scans of queues in the memory of this process. Each step runs in its own turn of the event loop. */
export function memoryJobScan(store: MemoryStore): JobScanPort {
  return {
    /** A cursor is the index of a state, and a position in its list. */
    scan: async (queue, { states, fields, cursor }) => {
      await setImmediate();
      const [first, given] = startOf(states, cursor);
      const jobs = store.find(queue);
      for (let number = first; number < states.length; number += 1) {
        const state = states[number];
        if (jobs === undefined || state === undefined) continue;
        const position = number === first ? given : undefined;
        const found = jobs.jobs.listed.behind(state, position, JOBS_PER_STEP + 1);
        if (found.length === 0) continue;
        // Their positions are read now, since the jobs may move.
        const positions = found.map((job) => job.place ?? position);
        const scanned = await scannedJobs(jobs, found.slice(0, JOBS_PER_STEP), state, fields);
        const end = number + 1 < states.length ? cursorText([number + 1]) : null;
        const cursorAt = (at: Position | undefined): string =>
          cursorText(at === undefined ? [number] : [number, at.rank, at.order]);
        return {
          jobs: scanned,
          cursorAfter: (count) =>
            count === found.length ? end : cursorAt(count === 0 ? position : positions[count - 1]),
        };
      }
      return NOTHING;
    },
    oldest: async (name, states, limit) => {
      await setImmediate();
      const queue = store.find(name);
      let total = 0;
      const jobs: ScannedJob[] = [];
      for (const state of states.toReversed()) {
        if (queue === undefined) continue;
        total += queue.jobs.in[state].size;
        for (const { id } of queue.jobs.listed.endOf(state, limit - jobs.length))
          jobs.push({ id, state });
      }
      return { total, jobs };
    },
    async *look(name, ids, fields) {
      const queue = store.find(name);
      const pieces = queue === undefined ? [] : new JobReading(queue).pieces(ids, readSize(fields));
      for await (const jobs of pieces) {
        yield jobs.flatMap((job) =>
          job.status === undefined ? [] : [scannedJob(job, job.status, fields)],
        );
      }
    },
  };
}

/** The first of the jobs, with the fields. */
async function scannedJobs(
  queue: StoredQueue,
  found: readonly ListedJob[],
  state: JobState,
  fields: readonly ScannedField[],
): Promise<readonly (ScannedJob | undefined)[]> {
  if (fields.length === 0) return found.map(({ id }) => ({ id, state }));
  const ids = found.map(({ id }) => id);
  const read = await new JobReading(queue).piece(ids, readSize(fields));
  return read.map((job) => job && scannedJob(job, state, fields));
}

/** How many characters of a job have to be read to scan the fields. */
function readSize(fields: readonly ScannedField[]): (job: JobRecord) => number {
  return fields.includes('data') ? ({ data }) => data.length : () => 0;
}

/** @throws DomainError `invalid-request` when the cursor is not one of this scan. */
function startOf(
  states: readonly JobState[],
  cursor: string | null,
): readonly [number: number, position: Position | undefined] {
  if (cursor === null) return [0, undefined];
  const [number, rank, order] = cursorPlace(cursor) ?? [];
  if (typeof number !== 'number' || !(number in states)) throw unknownCursor();
  if (rank === undefined) return [number, undefined];
  if (typeof rank !== 'number' || typeof order !== 'number') throw unknownCursor();
  return [number, { rank, order }];
}

function scannedJob(
  stored: JobRecord,
  state: JobState,
  fields: readonly ScannedField[],
): ScannedJob {
  const { id, name, group, data, failedReason, timestamp, finishedOn, attempts } = stored;
  const { redactedOn } = stored;
  const origin = fields.includes('origin') ? originOfLetter(optionsOf(stored)) : undefined;
  const answerStatus = lastStatusOf(attempts.at(-1), finishedOn ?? null) ?? undefined;
  return {
    id,
    state,
    ...(fields.includes('name') && { name }),
    ...(fields.includes('group') && group !== undefined && { group: group.id }),
    ...(fields.includes('data') && { data: JSON.parse(data) as Json }),
    ...(fields.includes('failedReason') && failedReason !== undefined && { failedReason }),
    ...(fields.includes('answerStatus') && answerStatus !== undefined && { answerStatus }),
    ...(fields.includes('timestamp') && { timestamp }),
    ...(fields.includes('finishedOn') && finishedOn !== undefined && { finishedOn }),
    ...(fields.includes('redactedOn') && redactedOn !== undefined && { redactedOn }),
    ...(origin !== undefined && { origin }),
    ...(fields.includes('stepped') && stored.lastStep > 0 && { stepped: true as const }),
  };
}
