import type { VNode } from 'preact';
import { counted } from '../../../rules/counted.ts';
import type { FailureGroup, Failures } from '../../../typescript/src/api.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { failedJobs, MASK } from '../queue/failed-jobs.ts';
import type { With } from '../../parts/properties.ts';

/** How many of the latest failed jobs are considered: as many as the API allows. */
const LOOKED_AT = 10_000;

/** How many other jobs of the queue failed with the cause of this reason, as a link to them. */
export function SameCause({ queue, reason }: With<'queue', { reason: string }>): VNode | null {
  const failures = useResource<Failures>(
    withQuery(apiPath('queues', queue, 'failures'), { window: LOOKED_AT }),
  );
  const group = causeOf(reason, failures.data?.causes ?? []);
  if (failures.data === undefined || group === undefined) return null;
  const others = group.count - 1;
  if (others === 0) return <p class="muted">No other job failed with this cause.</p>;
  const { window, failed } = failures.data;
  return (
    <p>
      {counted(others, 'other job', 'other jobs', exactNumber)}
      {failed > window && ` of the latest ${exactNumber(window)} that failed`} failed with this
      cause <a href={failedJobs(queue, group.cause)}>Show them</a>
    </p>
  );
}

/** The group that a reason belongs to; if several match, the most specific. */
function causeOf(reason: string, groups: readonly FailureGroup[]): FailureGroup | undefined {
  return groups
    .filter(({ cause }) => isOfCause(reason, cause))
    .sort((one, other) => other.cause.length - one.cause.length)[0];
}

/** Whether a reason has the same parts as the cause in the same order, with anything in place of a mask. */
function isOfCause(reason: string, cause: string): boolean {
  const [first = '', ...parts] = cause.split(MASK);
  const last = parts.pop();
  if (last === undefined) return reason === cause;
  let end = first.length;
  for (const part of parts) {
    const found = reason.indexOf(part, end);
    if (found === -1) return false;
    end = found + part.length;
  }
  return reason.startsWith(first) && reason.endsWith(last) && end + last.length <= reason.length;
}
