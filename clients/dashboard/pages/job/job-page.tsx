import type { VNode } from 'preact';
import type { JobAttempts, JobLogs, JobSteps, JobSummary } from '../../../typescript/src/api.ts';
import { useDigests } from '../../api/live.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { pageLink } from '../../navigation/route.ts';
import { Card } from '../../parts/card.tsx';
import { shortId } from '../../parts/job-link.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { attemptList } from './attempt-list.tsx';
import { inOrder } from './attempt-order.ts';
import { AwaitedSteps } from './awaited-steps.tsx';
import { JobActions } from './job-actions.tsx';
import { JobFacts } from './job-facts.tsx';
import { SameCause } from './same-cause.tsx';
import { StepList } from './step-list.tsx';
import { StoredValue } from './stored-value.tsx';
import { Timeline } from './timeline.tsx';

/** How often to read, in milliseconds, since digests do not report progress and logs. */
const EVERY = 5000;

/** One job: its history, attempt by attempt, and its values. */
export function JobPage({ queue, id }: { readonly queue: string; readonly id: string }): VNode {
  const path = apiPath('queues', queue, 'jobs', id);
  const seesData = may('data');
  const job = useResource<JobSummary>(`${path}?view=summary`, EVERY);
  const attempts = useResource<JobAttempts>(`${path}/attempts`, EVERY);
  // Their values may be large, and only a call that runs changes them without an event.
  const steps = useResource<JobSteps>(
    `${path}/steps`,
    job.data?.state === 'active' ? EVERY : undefined,
  );
  const saved = steps.data?.steps ?? [];
  const logs = useResource<JobLogs>(seesData ? `${path}/logs?start=0&length=1000` : null, EVERY);
  const events = `${apiPath('queues', queue, 'events')}?digest=1000&job=${encodeURIComponent(id)}`;
  useDigests(job.data === undefined ? null : events, () => {
    job.refresh();
    attempts.refresh();
    steps.refresh();
    logs.refresh();
  });
  const reread = (): void => {
    job.reread();
    steps.reread();
  };
  const heading = (
    <>
      {job.data && (
        <>
          <StateLabel state={job.data.suspended ? 'suspended' : job.data.state} />{' '}
          <bdi>{job.data.name}</bdi>{' '}
        </>
      )}
      <bdi class="id" title={id}>
        {shortId(id)}
      </bdi>
    </>
  );
  return (
    <Page
      title={`Job ${id}`}
      heading={heading}
      copied={id}
      context={
        <>
          in <a href={pageLink(['queues', queue])}>{queue}</a>
          {job.data?.state === 'active' && <Progress of={job.data.progress} />}
          {job.data?.parent && (
            <>
              {' '}
              · part of{' '}
              <a href={pageLink(['flows', job.data.parent.queue, job.data.parent.id])}>
                {job.data.parent.queue} {shortId(job.data.parent.id)}
              </a>
            </>
          )}
        </>
      }
      actions={
        job.data && <JobActions queue={queue} job={job.data} steps={saved} refresh={reread} />
      }
    >
      {job.error?.status === 404 ? (
        <NotFound queue={queue} id={id} />
      ) : (
        <Read of={job}>
          {(summary) => (
            <>
              {summary.state === 'failed' &&
                reasonOf(queue, latestReason(attempts.data) ?? summary.failedReason)}
              <Timeline job={summary} attempts={attempts.data?.attempts ?? []} steps={saved} />
              <div class="columns">
                <div>
                  {summary.suspended && (
                    <AwaitedSteps queue={queue} suspended={summary.suspended} refresh={reread} />
                  )}
                  {saved.length > 0 && (
                    <StepList queue={queue} job={summary} steps={saved} refresh={reread} />
                  )}
                  <Card title="Attempts">
                    <Read of={attempts}>
                      {(data) => attemptList(data, summary.state === 'active')}
                    </Read>
                  </Card>
                  <Card title={logs.data === undefined ? 'Log' : `Log (${logs.data.count})`}>
                    {logOf(logs.data, seesData)}
                  </Card>
                </div>
                <div>
                  <StoredValue
                    key={`data-${summary.state}`}
                    title="Data"
                    path={`${path}/data`}
                    bytes={summary.dataSize}
                  />
                  {summary.state === 'completed' && (
                    <StoredValue title="Result" path={`${path}/returnvalue`} />
                  )}
                  <JobFacts queue={queue} job={summary} path={path} />
                </div>
              </div>
            </>
          )}
        </Read>
      )}
    </Page>
  );
}

function Progress({ of: value }: { readonly of: number | null | undefined }): VNode | null {
  if (typeof value !== 'number') return null;
  return (
    <span>
      <progress max={100} value={value} aria-label="Progress" /> {value} %
    </span>
  );
}

function latestReason(attempts: JobAttempts | undefined): string | null {
  return inOrder(attempts?.attempts ?? []).at(-1)?.reason ?? null;
}

function reasonOf(queue: string, reason: string | null): VNode {
  return (
    <div class="reason">
      <p class="text">{reason ?? 'No reason is on record'}</p>
      {reason !== null && <SameCause queue={queue} reason={reason} />}
    </div>
  );
}

function logOf(logs: JobLogs | undefined, seesData: boolean): VNode {
  if (!seesData) return <p class="muted">Reading logs needs the right data.</p>;
  if (logs === undefined) return <p class="muted">Loading …</p>;
  if (logs.logs.length === 0) return <p class="muted">The job has logged nothing.</p>;
  return (
    <ol class="log" tabIndex={0} aria-label="Log">
      {logs.logs.map((line, index) => (
        <li key={index} class="text">
          {line}
        </li>
      ))}
    </ol>
  );
}

function NotFound({ queue, id }: { readonly queue: string; readonly id: string }): VNode {
  return (
    <p class="empty">
      No job <bdi>{id}</bdi> in <bdi>{queue}</bdi>. It may have been removed, as its options{' '}
      <code>removeOnComplete</code> and <code>removeOnFail</code> ask for.{' '}
      <a href={pageLink(['queues', queue])}>Go to the queue</a>
    </p>
  );
}
