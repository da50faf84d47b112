import { pageLink } from '../../navigation/route.ts';

/** The masks in a cause for parts that differ from reason to reason. */
export const MASK = /[#…]/;

/**
 * The address of the failed jobs of a cause. A quotation mark or the end of a line would end the search term, so the
 * longest part without these and without a mask is searched for.
 */
export function failedJobs(queue: string, cause: string): string {
  const [longest = ''] = cause.split(/["\n#…]/).sort((one, other) => other.length - one.length);
  const search = longest.trim() === '' ? undefined : `reason:"${longest.trim().slice(0, 80)}"`;
  return pageLink(['queues', queue], { state: 'failed', search });
}
