import type { ComponentChildren, VNode } from 'preact';
import type { Job, JobCallback } from '../../../typescript/src/api.ts';
import { useResource } from '../../api/resource.ts';
import { Time } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { shortId } from '../../parts/job-link.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import type { With } from '../../parts/properties.ts';

/** Options come only with the whole job: with more data than this, in bytes, they are not worth loading. */
const SMALL = 100_000;

export function JobFacts({ queue, job, path }: With<'queue' | 'job' | 'path'>): VNode {
  const whole = useResource<Job>(job.dataSize <= SMALL ? path : null);
  const { id, state, timestamp, processedOn, finishedOn, dueAt, priority, group, parent } = job;
  const { callback, redactedOn, opts } = whole.data ?? {};
  return (
    <Card title="Facts">
      <Facts
        facts={[
          ['Id', id, 'id'],
          ['Added', <Time at={timestamp} />],
          ['Due', timeOf(dueAt)],
          ['Started', timeOf(processedOn)],
          ['Finished', timeOf(finishedOn)],
          [
            'Values',
            redactedOn !== undefined && (
              <>
                redacted on <Time at={redactedOn} />
              </>
            ),
          ],
          ['Priority', priority > 0 && priority],
          ['Group', group, 'text'],
          ['Endpoint', opts?.endpoint?.url, 'text'],
          ['Callback', callback && callbackText(callback)],
          [
            'Flow',
            (parent !== null || state === 'waiting-children') && <Flow queue={queue} job={job} />,
          ],
        ]}
      />
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
    </Card>
  );
}

function timeOf(at: number | null): ComponentChildren {
  return at !== null && <Time at={at} />;
}

function callbackText({ state, lastStatus }: JobCallback): string {
  return lastStatus === null ? state : `${state} (HTTP ${lastStatus})`;
}

/** The job that waits for this one, and those that it waits for. */
function Flow({ queue, job: { id, parent } }: With<'queue' | 'job'>): VNode {
  return (
    <>
      {parent !== null && (
        <>
          <a class="text" href={pageLink(['flows', parent.queue, parent.id])}>
            {parent.queue} {shortId(parent.id)}
          </a>{' '}
          ▸{' '}
        </>
      )}
      <a href={pageLink(['flows', queue, id])}>this</a>
    </>
  );
}
