import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  JobSummary,
  StateCounts,
  SummariesPage,
  SummarySearch,
} from '../../../typescript/src/api.ts';
import { useDigests } from '../../api/live.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { listedData, payloads } from '../../frame/settings.ts';
import { exactNumber } from '../../format/number.tsx';
import { Read } from '../../parts/page.tsx';
import { columnChoice } from '../../parts/hidden-columns.tsx';
import { Pager, pageStart } from '../../parts/pager.tsx';
import type { With } from '../../parts/properties.ts';
import { Button, Quiet } from '../../parts/button.tsx';
import { selectionColumn, useSelection } from '../../parts/selection.tsx';
import { Table } from '../../parts/table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { jobColumns } from './job-columns.tsx';
import { SearchField } from './search-field.tsx';
import { parseSearch } from './job-search.ts';
import { jobsIn, type JobState } from './state-tabs.tsx';

const LENGTH = 50;

/** The jobs of a queue in one state, or in all, that match a search. */
export function JobList({
  queue,
  state,
  counts,
  text,
}: With<'queue' | 'text', { state: JobState | undefined; counts: StateCounts }>): VNode {
  const selection = useSelection();
  const [news, setNews] = useState(0);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const search = useMemo(
    () => parseSearch(text, state === 'failed' ? 'reason' : 'name'),
    [text, state],
  );
  useEffect(() => {
    selection.clear();
    setCursors([]);
  }, [text]);
  const isSearch = text.trim() !== '';
  const cursor = cursors.at(-1);
  const start = pageStart();
  const path = apiPath('queues', queue, 'jobs');
  const paging = { view: 'summary', length: LENGTH };
  const page = useResource<SummariesPage & Partial<SummarySearch>>(
    isSearch
      ? withQuery(`${path}/search`, { ...paging, ...search, statuses: state, cursor })
      : withQuery(path, { ...paging, statuses: state ?? 'all', start }),
  );
  const hasSelection = useRef(false);
  hasSelection.current = selection.keys.size > 0;
  useDigests(`${apiPath('queues', queue, 'events')}?digest=1000`, (digest) => {
    // Rows must not move while the reader selects them.
    if (!hasSelection.current) page.refresh();
    else setNews((before) => before + (digest?.happened['added'] ?? 1));
  });
  const reread = (): void => {
    selection.clear();
    setNews(0);
    page.reread();
  };
  const jobs = page.data?.jobs ?? [];
  const isPageSelected = jobs.length > 1 && jobs.every(({ id }) => selection.keys.has(id));
  const showsData = listedData.value === 'beginning' && payloads.value === 'shown' && may('data');
  const columns = jobColumns(queue, showsData);
  const total = state === undefined ? jobsIn(counts) : counts[state];
  return (
    <>
      <SearchField text={text}>
        {columnChoice('Jobs', columns)}
        {may('data') && payloads.value === 'shown' && (
          <Quiet aria-pressed={showsData} onClick={() => listedData.next()}>
            {showsData ? 'Hide data' : 'Show data'}
          </Quiet>
        )}
      </SearchField>
      <BulkBar
        queue={queue}
        state={state}
        search={search}
        selection={selection}
        total={isSearch ? undefined : total}
        isPageSelected={isPageSelected}
        done={reread}
        news={news}
      />
      <Read of={page}>
        {({ jobs, scanned, cursor: next }) => (
          <>
            {jobs.length === 0 ? (
              <p class="empty">{emptyText(state, isSearch)}</p>
            ) : (
              <Table
                label="Jobs"
                columns={[...selectionColumn(selection, jobs, idOf, 'job'), ...columns]}
                rows={jobs}
                keyOf={idOf}
                isStale={page.isBusy || page.error !== undefined}
              />
            )}
            {scanned === undefined ? (
              <Pager length={LENGTH} total={total} />
            ) : (
              <p class="pager">
                Looked at {exactNumber(scanned)} of {exactNumber(total)}
                {cursors.length > 0 && (
                  <Button onClick={() => setCursors(cursors.slice(0, -1))}>Back</Button>
                )}
                {typeof next === 'string' && (
                  <Button onClick={() => setCursors([...cursors, next])}>Look further</Button>
                )}
              </p>
            )}
          </>
        )}
      </Read>
    </>
  );
}

function idOf({ id }: JobSummary): string {
  return id;
}

function emptyText(state: JobState | undefined, isSearch: boolean): string {
  if (isSearch) return 'No job matches among those that were looked at.';
  return state === undefined ? 'The queue has no jobs.' : `No job is ${state} now.`;
}
