import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { counted } from '../../../rules/counted.ts';
import type { FiguredQueue, FiguredQueuesPage, Figures } from '../../../typescript/src/api.ts';
import { useDigests } from '../../api/live.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource, type Resource } from '../../api/resource.ts';
import { system } from '../../api/system.ts';
import { exactNumber } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { query } from '../../navigation/route.ts';
import type { Action } from '../../parts/action.tsx';
import { columnChoice } from '../../parts/hidden-columns.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Pager, pageStart } from '../../parts/pager.tsx';
import { pausing } from '../../parts/stopping.ts';
import { SelectionActions } from '../../parts/selection-actions.tsx';
import { selectionColumn, useSelection } from '../../parts/selection.tsx';
import { Table } from '../../parts/table.tsx';
import { latestReadings } from './latest-readings.ts';
import { NeedsYou } from './needs-you.tsx';
import { NoQueues } from './no-queues.tsx';
import { queueColumns } from './queue-columns.tsx';
import { QueueFilter } from './queue-filter.tsx';

const LENGTH = 50;

/** How often to read, in milliseconds: ages and rates change even without events. */
const EVERY = 15_000;

function useQueues(query: Parameters<typeof withQuery>[1]): Resource<FiguredQueuesPage> {
  return useResource(withQuery('queues', { view: 'figures', length: LENGTH, ...query }), EVERY);
}

/** The start page: what is wrong, then all queues. */
export function QueuesPage(): VNode {
  const parameters = Object.fromEntries(query.value);
  const { name = '', state, sort, order } = parameters;
  const pattern = name === '' || name.includes('*') ? name : `*${name}*`;
  const page = useQueues({ start: pageStart(), name: pattern, state, sort, order });
  const figures = useResource<Figures>('figures', EVERY);
  const needs = useQueues({ state: 'blocked', sort: 'oldest' });
  const failing = useQueues({ state: 'failing', sort: 'failed' });
  useDigests('events?digest=2000', () => {
    for (const { refresh } of [page, figures, needs, failing]) refresh();
  });
  const selection = useSelection();
  const selected = [...selection.keys];
  const columns = queueColumns(page.reread);
  const lists = [page.data, needs.data, failing.data];
  const latest = useMemo(() => latestReadings(lists), lists);
  const isStale = page.isBusy || page.error !== undefined;
  // The rows are most of the page, and change only with the data that is read for them.
  const table = useMemo(() => {
    const rows = (page.data?.queues ?? []).map(latest);
    return (
      <Table
        label="Queues"
        columns={[...selectionColumn(selection, rows, nameOf, 'the queue'), ...columns]}
        rows={rows}
        keyOf={nameOf}
        isStale={isStale}
        defaultSort="name"
      />
    );
  }, [page.data, latest, selection.keys, isStale]);
  const isFiltered = name !== '' || state !== undefined;
  return (
    <Page title="Queues" context={<Totals figures={figures.data} />}>
      <NeedsYou
        blocked={needs.data}
        failing={failing.data}
        latest={latest}
        total={isFiltered ? undefined : page.data?.total}
        refresh={needs.reread}
      />
      <Read of={page}>
        {({ at, total, queues }) =>
          total === 0 && !isFiltered ? (
            <NoQueues refresh={page.reread} />
          ) : (
            <>
              <QueueFilter name={name} sort={sort}>
                <span class="muted">
                  {exactNumber(total)} {isFiltered ? 'match' : 'in all'} · as of <Time at={at} />
                </span>
                {columnChoice('Queues', columns)}
              </QueueFilter>
              <SelectionActions
                selection={selection}
                what="queues"
                pausing={(isPaused) => selected.map((name) => pausingOf(name, isPaused))}
                refresh={page.reread}
              />
              {queues.length === 0 ? (
                <p class="empty">No queue matches. Try a part of its name, or another state.</p>
              ) : (
                table
              )}
              <Pager length={LENGTH} total={total} />
            </>
          )
        }
      </Read>
    </Page>
  );
}

function nameOf({ name }: FiguredQueue): string {
  return name;
}

function pausingOf(name: string, isPaused: boolean): Action {
  return pausing(apiPath('queues', name), name, isPaused);
}

function Totals({ figures }: { readonly figures: Figures | undefined }): VNode {
  const replicas = system.value?.replicas.length;
  if (figures === undefined) return <>&nbsp;</>;
  const { completed, failed } = figures.series;
  const failures = failed.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  // The last minute is not over yet, but may be the only one.
  const done = completed.at(-2) ?? completed.at(-1) ?? 0;
  return (
    <>
      {exactNumber(failures)} failed in the last hour · {exactNumber(done)} completed per minute
      {replicas !== undefined && ` · ${counted(replicas, 'replica')}`}
    </>
  );
}
