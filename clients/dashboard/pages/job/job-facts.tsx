import type { VNode } from 'preact';
import type { Job, JobSummary } from '../../../typescript/src/api.ts';
import { useResource } from '../../api/resource.ts';
import { Time } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { shortId } from '../queue/job-columns.tsx';
import { JsonView } from '../../parts/json-view.tsx';

/** Options come only with the whole job: with more data than this, in bytes, they are not worth loading. */
const SMALL = 100_000;

export function JobFacts({
  queue,
  job,
  path,
}: {
  readonly queue: string;
  readonly job: JobSummary;
  readonly path: string;
}): VNode {
  const whole = useResource<Job>(job.dataSize <= SMALL ? path : null);
  const { id, state, timestamp, processedOn, finishedOn, dueAt, priority, group, parent } = job;
  const { callback, redactedOn } = whole.data ?? {};
  return (
    <section class="card">
      <h2>Facts</h2>
      <dl class="facts">
        <dt>Id</dt>
        <dd class="id">{id}</dd>
        <dt>Added</dt>
        <dd>
          <Time at={timestamp} />
        </dd>
        {dueAt !== null && (
          <>
            <dt>Due</dt>
            <dd>
              <Time at={dueAt} />
            </dd>
          </>
        )}
        {processedOn !== null && (
          <>
            <dt>Started</dt>
            <dd>
              <Time at={processedOn} />
            </dd>
          </>
        )}
        {finishedOn !== null && (
          <>
            <dt>Finished</dt>
            <dd>
              <Time at={finishedOn} />
            </dd>
          </>
        )}
        {redactedOn !== undefined && (
          <>
            <dt>Values</dt>
            <dd>
              redacted on <Time at={redactedOn} />
            </dd>
          </>
        )}
        {priority > 0 && (
          <>
            <dt>Priority</dt>
            <dd>{priority}</dd>
          </>
        )}
        {group !== null && (
          <>
            <dt>Group</dt>
            <dd class="text">{group}</dd>
          </>
        )}
        {callback !== undefined && (
          <>
            <dt>Callback</dt>
            <dd>
              {callback.state}
              {callback.lastStatus !== null && ` (HTTP ${callback.lastStatus})`}
            </dd>
          </>
        )}
        {(parent !== null || state === 'waiting-children') && (
          <>
            <dt>Flow</dt>
            <dd>
              {parent !== null && (
                <>
                  <a class="text" href={pageLink(['flows', parent.queue, parent.id])}>
                    {parent.queue} {shortId(parent.id)}
                  </a>{' '}
                  ▸{' '}
                </>
              )}
              <a href={pageLink(['flows', queue, id])}>this</a>
            </dd>
          </>
        )}
      </dl>
      {whole.data && (
        <>
          <h3>Options</h3>
          <JsonView label="Options" text={JSON.stringify(whole.data.opts)} />
          {whole.data.stacktrace !== null && whole.data.stacktrace.length > 0 && (
            <details>
              <summary>Stack traces</summary>
              <pre tabIndex={0}>{whole.data.stacktrace.join('\n\n')}</pre>
            </details>
          )}
        </>
      )}
    </section>
  );
}
