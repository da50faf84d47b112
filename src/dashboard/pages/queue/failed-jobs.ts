import { pageLink } from '../../navigation/route.ts';

/**
 * The address of the failed jobs with such a reason. A quotation mark or the end of a line would end the search, so the
 * longest part without any is searched for.
 */
export function failedJobs(queue: string, reason: string | null): string {
  const [longest = ''] = (reason ?? '')
    .split(/["\n]/)
    .sort((one, other) => other.length - one.length);
  const search = longest.trim() === '' ? undefined : `reason:"${longest.trim().slice(0, 80)}"`;
  return pageLink(['queues', queue], { state: 'failed', search });
}
