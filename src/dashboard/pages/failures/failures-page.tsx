import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../../api/answers.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { Count, exactNumber } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { pageLink, query } from '../../navigation/route.ts';
import { RightButton } from '../../parts/action.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { BulkDialog, type BulkAction } from '../queue/bulk-dialog.tsx';
import { failedJobs } from '../queue/failed-jobs.ts';
import { shortId } from '../queue/job-columns.tsx';

/** The answer of the service is up to ten seconds old itself. Milliseconds. */
const EVERY = 10_000;

const HOUR = 3_600_000;

const WINDOWS = [
  [HOUR, 'Last hour', 'hour'],
  [6 * HOUR, '6 hours', '6 hours'],
  [24 * HOUR, 'Day', 'day'],
] as const;

/** Why jobs fail, over all queues, the most frequent cause first. */
export function FailuresPage(): VNode {
  const [asked, setAsked] = useState<BulkAction | undefined>();
  const wanted = Number(query.value.get('window') ?? HOUR);
  const [window, , span] = WINDOWS.find(([length]) => length === wanted) ?? WINDOWS[0];
  const failures = useResource<readonly Failure[]>(
    withQuery('failures', { window, length: 100 }),
    EVERY,
  );
  const total = failures.data?.reduce((sum, { count }) => sum + count, 0);
  return (
    <Page
      title="Failures"
      context={
        total !== undefined &&
        `${exactNumber(total)} failed in the last ${span}, of ${failures.data?.length ?? 0} causes`
      }
    >
      <nav class="tabs" aria-label="Time">
        {WINDOWS.map(([length, label]) => (
          <a
            key={label}
            href={pageLink(['failures'], {
              window: length === HOUR ? undefined : String(length),
            })}
            aria-current={length === window ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Read of={failures}>
        {(causes) =>
          causes.length === 0 ? (
            <p class="empty">No job has failed in the last {span}.</p>
          ) : (
            <Table
              label="Causes"
              columns={columns(setAsked)}
              rows={causes}
              keyOf={({ queue, cause, status }) => `${queue} ${status ?? ''} ${cause}`}
              isStale={failures.isBusy}
            />
          )
        }
      </Read>
      {asked && (
        <BulkDialog
          action={asked}
          close={() => {
            setAsked(undefined);
            failures.reread();
          }}
        />
      )}
    </Page>
  );
}

function columns(ask: (action: BulkAction) => void): readonly Column<Failure>[] {
  return [
    {
      label: 'Cause',
      cell: ({ queue, reason, cause }) => (
        <a class="text" href={failedJobs(queue, reason)} title={reason}>
          {cause}
        </a>
      ),
    },
    {
      label: 'Queue',
      cell: ({ queue }) => (
        <a class="name" href={pageLink(['queues', queue])}>
          {queue}
        </a>
      ),
    },
    { label: 'Jobs', isNumber: true, cell: ({ count }) => <Count value={count} /> },
    {
      label: 'Status',
      isNumber: true,
      cell: ({ status }) => <span class="number">{status ?? '–'}</span>,
    },
    { label: 'First', cell: ({ first }) => <Time at={first} /> },
    { label: 'Last', cell: ({ last }) => <Time at={last} /> },
    {
      label: 'Samples',
      cell: ({ queue, samples }) => (
        <span>
          {samples.slice(0, 3).map((id) => (
            <a key={id} class="sample id" href={pageLink(['queues', queue, 'jobs', id])} title={id}>
              {shortId(id)}
            </a>
          ))}
        </span>
      ),
    },
    {
      label: 'Actions',
      cell: ({ queue, cause }) => {
        const filter = { cause, statuses: ['failed'] };
        const path = (verb: string): string => apiPath('queues', queue, verb);
        const retry = { label: 'Retry', past: 'retried', path: path('retry'), queue, filter };
        const clean = { label: 'Delete', past: 'deleted', path: path('clean'), queue, filter };
        return (
          <span class="buttons row-actions">
            <RightButton right="operate" onClick={() => ask(retry)}>
              Retry …
            </RightButton>
            <RightButton right="operate" onClick={() => ask(clean)}>
              Delete …
            </RightButton>
          </span>
        );
      },
    },
  ];
}
