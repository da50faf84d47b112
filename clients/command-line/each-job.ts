import { JobgateError } from 'jobgate-client';
import { Failed } from './failed.ts';
import type { Invocation } from './invocation.ts';
import { jobCount } from './output/fields.ts';
import { codeOf, inShort } from './service/refusal.ts';

/**
 * Applies an action to each job, even when it fails for others, and reports the outcomes.
 *
 * @param done the outcome for a job, such as `Retried`.
 * @param counted the field of the JSON answer that contains their number.
 * @throws Failed when it failed for any job.
 */
export async function eachJob(
  call: Invocation,
  ids: readonly string[],
  done: string,
  counted: 'done' | 'removed',
  act: (id: string) => Promise<unknown>,
): Promise<void> {
  const jobs: string[] = [];
  const failed: { readonly id: string; readonly error: string }[] = [];
  for (const id of ids) {
    try {
      await act(id);
      jobs.push(id);
    } catch (error) {
      if (!(error instanceof JobgateError) || ids.length === 1) throw error;
      const isGone = codeOf(error) === 'job-not-found';
      const text = isGone ? `There is no job ${id} in ${call.queue}` : inShort(error, call);
      failed.push({ id, error: text });
      call.terminal.report(`jobgate: ${isGone ? text : `job ${id}: ${text}`}`);
    }
  }
  call.answer({ [counted]: jobs.length, jobs, failed }, () => {
    const which = failed.length > 0 && jobs.length > 0 ? `: ${jobs.join(', ')}` : '';
    return `${done} ${jobCount(jobs.length)}${which}`;
  });
  if (failed.length > 0) throw new Failed(`${jobCount(failed.length)} of ${ids.length} failed`);
}
