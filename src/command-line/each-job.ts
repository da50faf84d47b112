import { ApiError } from './api-client.ts';
import type { Invocation } from './command.ts';
import { jobCount } from './table.ts';

/**
 * Does the same to each job, also when it fails for others, and reports which are done.
 *
 * @param done the outcome of a job, such as `Retried`.
 * @param counted the field of the JSON answer for their number.
 * @throws ApiError when it failed for any job.
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
      if (!(error instanceof ApiError) || ids.length === 1) throw error;
      failed.push({ id, error: error.message });
      call.terminal.report(`jobgate: job ${id}: ${error.message}`);
    }
  }
  call.answer({ [counted]: jobs.length, jobs, failed }, () => {
    const which = failed.length > 0 && jobs.length > 0 ? `: ${jobs.join(', ')}` : '';
    return `${done} ${jobCount(jobs.length)}${which}`;
  });
  if (failed.length > 0) {
    throw new ApiError(`${jobCount(failed.length)} of ${ids.length} failed`);
  }
}
