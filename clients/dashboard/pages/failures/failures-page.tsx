import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { QueueFailure } from '../../../typescript/src/api.ts';
import { withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { pageLink, query, withParameters } from '../../navigation/route.ts';
import { Button } from '../../parts/button.tsx';
import {
  actionsColumn,
  column,
  countColumn,
  linkColumn,
  numberColumn,
  timeColumn,
} from '../../parts/columns.tsx';
import { shortId } from '../../parts/job-link.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { BulkDialog, type BulkAction } from '../queue/bulk-dialog.tsx';
import { CauseActions } from './cause-actions.tsx';
import { FailureDetail } from './failure-detail.tsx';
import { isIgnored, keyOf, setIgnored } from './ignored-causes.ts';
import { useStillFailed } from './still-failed.ts';

/** How often to read, in milliseconds: the service's answer itself is up to ten seconds old. */
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
  const failures = useResource<readonly QueueFailure[]>(
    withQuery('failures', { window, length: 100 }),
    EVERY,
  );
  const isStillFailed = useStillFailed(failures.data);
  const parameters = query.value;
  const opened = failures.data?.find(
    ({ queue, cause }) => queue === parameters.get('queue') && cause === parameters.get('cause'),
  );
  const hidden = failures.data?.filter((each) => isIgnored(keyOf(each))) ?? [];
  const total = failures.data?.reduce((sum, { count }) => sum + count, 0);
  return (
    <Page
      title="Failures"
      context={
        total !== undefined &&
        total > 0 &&
        `${exactNumber(total)} failed in the last ${span}, from ${causesText(failures.data?.length ?? 0)}`
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
            <>
              {opened && (
                <FailureDetail
                  key={keyOf(opened)}
                  failure={opened}
                  isStillFailed={isStillFailed(opened)}
                  ask={setAsked}
                />
              )}
              <Table
                label="Causes"
                columns={columns(setAsked, isStillFailed)}
                rows={causes.filter((each) => !isIgnored(keyOf(each)))}
                keyOf={keyOf}
                isStale={failures.isBusy}
              />
              {hidden.length > 0 && (
                <p class="pager">
                  {hidden.length} ignored in this browser for a day
                  <Button onClick={() => hidden.forEach((each) => setIgnored(keyOf(each), false))}>
                    Show
                  </Button>
                </p>
              )}
            </>
          )
        }
      </Read>
      {asked && (
        <BulkDialog action={asked} close={() => setAsked(undefined)} done={failures.reread} />
      )}
    </Page>
  );
}

function causesText(count: number): string {
  return count === 1 ? 'one cause' : `${count} causes`;
}

function columns(
  ask: (action: BulkAction) => void,
  isStillFailed: (failure: QueueFailure) => boolean,
): readonly Column<QueueFailure>[] {
  return [
    column('Cause', ({ queue, reason, cause }) => (
      <a class="text" href={withParameters({ queue, cause })} title={reason}>
        {cause}
      </a>
    )),
    linkColumn('Queue', ({ queue }) => ['queues', queue]),
    countColumn('Jobs', ({ count }) => count),
    numberColumn('Status', ({ status }) => status),
    timeColumn('First', ({ first }) => first),
    timeColumn('Last', ({ last }) => last),
    column('Samples', ({ queue, samples }) => (
      <span>
        {samples.slice(0, 3).map((id) => (
          <a key={id} class="sample id" href={pageLink(['queues', queue, 'jobs', id])} title={id}>
            {shortId(id)}
          </a>
        ))}
      </span>
    )),
    actionsColumn((failure) => (
      <CauseActions failure={failure} isStillFailed={isStillFailed(failure)} ask={ask} />
    )),
  ];
}
