import type { EndingNotice } from '../../../../application/ports/job-endings-port.ts';
import { jobRecord, storedValue } from '../layout/job-record.ts';

/** The end of a job that an event of BullMQ reports; undefined for any other event. */
export function endingIn(
  fields: readonly string[],
): { readonly jobId: string; readonly ending: EndingNotice } | undefined {
  const event = jobRecord(fields);
  const jobId = event.get('jobId');
  if (jobId === undefined) return undefined;
  switch (event.get('event')) {
    case 'completed': {
      const returnvalue = storedValue(event.get('returnvalue') ?? 'null');
      return { jobId, ending: { state: 'completed', returnvalue } };
    }
    case 'failed':
      return { jobId, ending: { state: 'failed', failedReason: event.get('failedReason') ?? '' } };
    default:
      return undefined;
  }
}
