import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Counts, JobSearch, JobsPage, JobState, JobSummary } from '../../api/answers.ts';
import { useDigests } from '../../api/live.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { isReadOnly } from '../../api/session.ts';
import { exactNumber } from '../../format/number.tsx';
import { goTo, withParameters } from '../../navigation/route.ts';
import { Read } from '../../parts/page.tsx';
import { Pager, pageStart } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { jobColumns, selectionColumn } from './job-columns.tsx';
import { parseSearch } from './job-search.ts';

const LENGTH = 50;

/** The jobs of a queue in one state, or in all, that match a search. */
export function JobList({
  queue,
  state,
  counts,
  text,
}: {
  readonly queue: string;
  readonly state: JobState | undefined;
  readonly counts: Counts;
  readonly text: string;
}): VNode {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [news, setNews] = useState(0);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const search = useMemo(
    () => parseSearch(text, state === 'failed' ? 'reason' : 'name'),
    [text, state],
  );
  useEffect(() => {
    setSelected(new Set());
    setCursors([]);
  }, [text]);
  const isSearch = text.trim() !== '';
  const cursor = cursors.at(-1);
  const start = pageStart();
  const page = useResource<JobsPage & Partial<JobSearch>>(
    isSearch
      ? withQuery(apiPath('queues', queue, 'jobs', 'search'), {
          view: 'summary',
          ...search,
          statuses: state,
          length: LENGTH,
          cursor,
        })
      : withQuery(apiPath('queues', queue, 'jobs'), {
          view: 'summary',
          statuses: state ?? 'all',
          start,
          length: LENGTH,
        }),
  );
  const hasSelection = useRef(false);
  hasSelection.current = selected.size > 0;
  useDigests(`${apiPath('queues', queue, 'events')}?digest=1000`, (digest) => {
    // Rows must not move under the hand that selects them.
    if (!hasSelection.current) page.refresh();
    else setNews((before) => before + (digest?.happened['added'] ?? 1));
  });
  const reread = (): void => {
    setSelected(new Set());
    setNews(0);
    page.reread();
  };
  const toggle = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
  };
  const total = state === undefined ? sum(counts) : counts[state];
  return (
    <>
      <SearchField text={text} />
      <BulkBar
        queue={queue}
        state={state}
        search={search}
        selected={[...selected]}
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
                columns={[
                  ...(isReadOnly ? [] : [selectionColumn(jobs, selected, toggle)]),
                  ...jobColumns(queue),
                ]}
                rows={jobs}
                keyOf={(job: JobSummary) => job.id}
                isStale={page.isBusy || page.error !== undefined}
              />
            )}
            {scanned === undefined ? (
              <Pager length={LENGTH} total={total} />
            ) : (
              <p class="pager">
                Looked at {exactNumber(scanned)} of {exactNumber(total)}
                {cursors.length > 0 && (
                  <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                    Back
                  </button>
                )}
                {typeof next === 'string' && (
                  <button type="button" onClick={() => setCursors([...cursors, next])}>
                    Look further
                  </button>
                )}
              </p>
            )}
          </>
        )}
      </Read>
    </>
  );
}

function SearchField({ text }: { readonly text: string }): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = text;
  }, [text]);
  return (
    <search class="filter">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const search = field.current?.value.trim();
          goTo(withParameters({ search, start: undefined }));
        }}
      >
        <input
          ref={field}
          type="search"
          aria-label="Search the jobs"
          aria-describedby="search-fields"
          placeholder="Search"
          defaultValue={text}
        />
        <button type="submit">Search</button>
      </form>
      <span id="search-fields" class="muted">
        <code>name:scale</code> <code>reason:"Not a PNG"</code> <code>status:503</code>{' '}
        <code>group:acme</code> <code>data.customer:17</code> <code>from:-1h</code>
      </span>
    </search>
  );
}

function emptyText(state: JobState | undefined, isSearch: boolean): string {
  if (isSearch) return 'No job matches among those that were looked at.';
  return state === undefined ? 'The queue has no jobs.' : `No job is ${state} now.`;
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
