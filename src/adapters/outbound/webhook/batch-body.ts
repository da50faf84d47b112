import type { Attempt } from '../../../domain/attempts/attempt.ts';
import { jobJson } from '../../../domain/jobs/job-json.ts';
import { withSteps, type CallBody } from './call-body.ts';

/** A job with its token, as it stands in the body of a call with several jobs. */
export function jobInBatch({ job, token, children, steps }: Attempt, queuePrefix: string): string {
  const item = { job: jobJson(job, queuePrefix), token, ...(children && { children }) };
  return withSteps(JSON.stringify(item), steps);
}

/** @param written the JSON of an attempt, as {@link jobInBatch} returns it. */
export function batchBody(
  id: string,
  attempts: readonly Attempt[],
  written: (attempt: Attempt) => string,
): CallBody {
  const text = `{"batch":${JSON.stringify(id)},"jobs":[${attempts.map(written).join(',')}]}`;
  return { bytes: Buffer.from(text), contentType: 'application/json' };
}
