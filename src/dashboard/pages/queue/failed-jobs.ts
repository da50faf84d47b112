import { pageLink } from '../../navigation/route.ts';

/** What stands in a cause for what differs from reason to reason. */
export const MASK = /[#…]/;

/**
 * The address of the failed jobs of a cause. A quotation mark or the end of a line would end the search, so the longest
 * part without any, and without a mask, is searched for.
 */
export function failedJobs(queue: string, cause: string): string {
  const [longest = ''] = cause.split(/["\n#…]/).sort((one, other) => other.length - one.length);
  const search = longest.trim() === '' ? undefined : `reason:"${longest.trim().slice(0, 80)}"`;
  return pageLink(['queues', queue], { state: 'failed', search });
}
