import { endedState } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Run } from '../state/job-run.ts';
import type { JobPayload, StoredJob } from '../state/stored-job.ts';
import { historyOf, NO_HISTORY, writtenInline } from './job-history.ts';
import { runOf, type PayloadRecord, type WrittenJob } from './job-record.ts';
import type { ValueKind } from './kept-values.ts';
import { recordKey } from './record-ids.ts';

/** The part of a job that is not in memory. */
export interface FoundJob {
  readonly payload: JobPayload;
  /** The log of a job of an earlier version, if it was to be read. */
  readonly olderLog: readonly string[];
  /** When it ended (epoch ms), and what it has from its run, if it has ended. */
  readonly finishedOn: number | undefined;
  readonly run: Partial<Run> | undefined;
}

/** The parts of the jobs of a queue; undefined for one that is gone. @param withLogs whether to read older logs, too. */
export function keptJobs(
  queue: QueueName,
  withLogs = false,
): ValueKind<StoredJob, FoundJob | undefined> {
  return {
    keys: ({ id, status, hasHistory, hasOlderLog }) => [
      recordKey('payload', queue, id),
      ...(endedState(status) === undefined && !hasHistory ? [] : [recordKey('job', queue, id)]),
      ...(hasHistory ? [recordKey('history', queue, id)] : []),
      ...(withLogs && hasOlderLog ? [recordKey('logs', queue, id)] : []),
    ],
    value: (texts, keys) =>
      foundJob(new Map(keys.map(({ kind }, index) => [kind, texts[index]] as const))),
  };
}

/** @param of the texts of its records, by their kinds. */
function foundJob(of: ReadonlyMap<string, string | undefined>): FoundJob | undefined {
  const [payload, record, history = '{}'] = [of.get('payload'), of.get('job'), of.get('history')];
  if (payload === undefined) return undefined;
  const { data, opts } = JSON.parse(payload) as PayloadRecord;
  const olderLog = JSON.parse(of.get('logs') ?? '[]') as readonly string[];
  const written = record === undefined ? undefined : (JSON.parse(record) as WrittenJob);
  return {
    payload: { data, opts, history: foundHistory(history, written) },
    olderLog,
    finishedOn: written?.finishedOn,
    run: written?.finishedOn === undefined ? undefined : runOf(written),
  };
}

/** What the record of the job has is newer than a record of its own. */
function foundHistory(history: string, written: WrittenJob | undefined): JobPayload['history'] {
  const inline = written && writtenInline(written);
  if (history === '{}') return inline ?? NO_HISTORY;
  const apart = JSON.parse(history) as JobPayload['history'];
  return historyOf({ ...apart, ...written });
}
