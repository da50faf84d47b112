import type { VNode } from 'preact';
import type {
  AuditEntry,
  AuditPage,
  JobAttempts,
  QueueFailure,
} from '../../../typescript/src/api.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { exactNumber } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { withParameters } from '../../navigation/route.ts';
import { JobLink } from '../../parts/job-link.tsx';
import { Read } from '../../parts/page.tsx';
import { Who } from '../../parts/who.tsx';
import { attemptList } from '../job/attempt-list.tsx';
import { failedJobs } from '../queue/failed-jobs.ts';
import { CauseActions, type OfCause } from './cause-actions.tsx';

/** How long before the first failure a change may have led to it, in milliseconds. */
const BEFORE = 3_600_000;

/** How many jobs are shown side by side. */
const SAMPLES = 3;

/** One cause: its full reason, some of its jobs, and the changes before it began. */
export function FailureDetail(shown: OfCause): VNode {
  const { failure, isStillFailed } = shown;
  const { queue, cause, reason, samples, count } = failure;
  return (
    <section class="card cause" aria-labelledby="cause">
      <h2 id="cause">
        <span class="text">{cause}</span>
        <a class="close" href={withParameters({ cause: undefined, queue: undefined })}>
          Close
        </a>
      </h2>
      <p class="reason">
        <span class="text">{reason}</span>
      </p>
      <div class="buttons">
        <CauseActions {...shown} />
        {isStillFailed && (
          <a class="button" href={failedJobs(queue, cause)}>
            List all {exactNumber(count)} in <bdi>{queue}</bdi>
          </a>
        )}
      </div>
      <h3>What changed</h3>
      {may('audit') ? (
        <Changes failure={failure} />
      ) : (
        <p class="muted">Reading the audit needs the right audit.</p>
      )}
      <h3>Some of its jobs</h3>
      <div class="samples">
        {samples.slice(0, SAMPLES).map((id) => (
          <Sample key={id} queue={queue} id={id} />
        ))}
      </div>
    </section>
  );
}

/** The audit entries of the queue, starting an hour before the first failure. */
function Changes({ failure: { queue, first, last } }: { readonly failure: QueueFailure }): VNode {
  const audit = useResource<AuditPage>(
    withQuery('audit', { queue, from: first - BEFORE, to: last, outcome: 'ok', length: 50 }),
  );
  return (
    <Read of={audit}>
      {({ entries }) => {
        const changes = entries.filter(isChange);
        return changes.length === 0 ? (
          <p class="muted">
            Nobody changed <bdi>{queue}</bdi> in the hour before the first of these failures, or
            since.
          </p>
        ) : (
          <ul>
            {changes.slice(0, 5).map(({ id, at, action, who }) => (
              <li key={id}>
                <strong>{action}</strong> by <Who who={who} /> <Time at={at} />
                {at < first && <span class="muted"> · before the first failure</span>}
              </li>
            ))}
          </ul>
        );
      }}
    </Read>
  );
}

/** Whether the entry may have led to failures. Actions on single jobs cannot have. */
function isChange({ target, action }: AuditEntry): boolean {
  return target['job'] === undefined && !/^job|\.test$/.test(action);
}

function Sample({ queue, id }: { readonly queue: string; readonly id: string }): VNode {
  const attempts = useResource<JobAttempts>(apiPath('queues', queue, 'jobs', id, 'attempts'));
  return (
    <article>
      <h3>
        Job <JobLink queue={queue} id={id} />
      </h3>
      <Read of={attempts}>{(data) => attemptList(data, false)}</Read>
    </article>
  );
}
