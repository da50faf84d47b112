import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AllSchedulers, LastScheduled, ListedScheduler } from '../../../typescript/src/api.ts';
import { asCurl } from '../../api/curl.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { exactNumber } from '../../format/number.tsx';
import { clockTime, Time } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { ActionButton, RightButton, type Action } from '../../parts/action.tsx';
import { actionsColumn, column, linkColumn, textColumn } from '../../parts/columns.tsx';
import { Commands } from '../../parts/commands.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, pageStart } from '../../parts/pager.tsx';
import { SelectionActions } from '../../parts/selection-actions.tsx';
import { selectionColumn, useSelection } from '../../parts/selection.tsx';
import { StoppedLabel } from '../../parts/state-label.tsx';
import { StopButton } from '../../parts/stop-button.tsx';
import { pausing } from '../../parts/stopping.ts';
import type { Column } from '../../parts/table.tsx';
import { DayStrip } from './day-strip.tsx';
import { EditScheduler } from './edit-scheduler.tsx';
import { repeatInWords } from './repeat-in-words.ts';

const EVERY = 10_000;
const LENGTH = 100;

const FIRST_SCHEDULER = asCurl({
  method: 'PUT',
  path: 'queues/reports/schedulers/nightly',
  body: {
    repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin' },
    job: { name: 'nightly', data: null },
  },
});

/** All schedulers, the next run first. */
export function SchedulersPage(): VNode {
  const selection = useSelection();
  const [edited, setEdited] = useState<ListedScheduler | undefined>();
  const schedulers = useResource<AllSchedulers>(
    withQuery('schedulers', { sort: 'next', start: pageStart(), length: LENGTH }),
    EVERY,
  );
  const { schedulers: listed = [] } = schedulers.data ?? {};
  const chosen = listed.filter((each) => selection.keys.has(keyOf(each)));
  return (
    <Page
      title="Schedulers"
      context={schedulers.data && `${exactNumber(schedulers.data.total)} in all, the next first`}
    >
      <List
        label="Schedulers"
        of={schedulers}
        rowsOf={({ schedulers: rows }) => rows}
        columns={[
          ...selectionColumn(selection, listed, keyOf, 'the scheduler'),
          ...columns(schedulers.reread, setEdited),
        ]}
        keyOf={keyOf}
        none={
          <Commands title="Nothing runs by itself yet" commands={[FIRST_SCHEDULER]}>
            A scheduler adds a job again and again: by a pattern, or in an interval.
          </Commands>
        }
        around={(table, { total }) => (
          <>
            <DayStrip schedulers={listed} />
            <SelectionActions
              selection={selection}
              what="schedulers"
              pausing={(isPaused) => chosen.map((each) => pausing(pathOf(each), each.id, isPaused))}
              refresh={schedulers.reread}
            />
            {table}
            <Pager length={LENGTH} total={total} />
          </>
        )}
      />
      {edited && (
        <EditScheduler
          queue={edited.queue}
          id={edited.id}
          close={() => setEdited(undefined)}
          saved={schedulers.reread}
        />
      )}
    </Page>
  );
}

function columns(
  refresh: () => void,
  edit: (scheduler: ListedScheduler) => void,
): readonly Column<ListedScheduler>[] {
  return [
    column('Scheduler', ({ id }) => <span class="text id">{id}</span>),
    linkColumn('Queue', ({ queue }) => ['queues', queue], { phone: 'beside' }),
    column('Next', ({ paused, pause, next, repeat }) =>
      paused ? (
        <StoppedLabel state="paused" stop={pause} />
      ) : (
        <>
          <Time at={next[0] ?? null} />{' '}
          {next[0] !== undefined && <SlotTime at={next[0]} zone={repeat.tz} />}
        </>
      ),
    ),
    column('Repeats', ({ repeat }) => (
      <span title={repeat.pattern}>
        {repeatInWords(repeat)}
        {repeat.tz !== undefined && <span class="muted"> {repeat.tz}</span>}
      </span>
    )),
    textColumn('Job', ({ job }) => job.name, { phone: 'labelled' }),
    {
      label: 'Last',
      phone: 'labelled',
      cell: ({ queue, last, lastRunByHand }) => (
        <>
          {last === null ? <span class="muted">never</span> : runOf(queue, last)}
          {lastRunByHand !== null && <div>by hand {runOf(queue, lastRunByHand)}</div>}
        </>
      ),
    },
    column('Overlap', ({ overlap }) => overlap, { phone: 'labelled' }),
    actionsColumn((scheduler) => (
      <>
        <ActionButton action={running(scheduler, refresh)} />
        <StopButton
          label="Pause"
          path={pathOf(scheduler)}
          name={scheduler.id}
          isStopped={scheduler.paused}
          refresh={refresh}
        >
          It makes no jobs until it is resumed.
        </StopButton>
        <RightButton
          right="configure"
          disabled={!may('data')}
          title={may('data') ? undefined : 'Needs the right data: it is stored anew with its data'}
          onClick={() => edit(scheduler)}
        >
          Edit …
        </RightButton>
      </>
    )),
  ];
}

/** The time of a slot in the chosen zone and, if different, in the zone of the scheduler. */
function SlotTime({ at, zone }: { readonly at: number; readonly zone: string | undefined }): VNode {
  const here = clockTime(at).slice(0, 5);
  const there = zone === undefined ? here : clockTime(at, zone).slice(0, 5);
  return (
    <span class="muted number">
      {here}
      {there !== here && `, there ${there}`}
    </span>
  );
}

function keyOf({ queue, id }: ListedScheduler): string {
  return `${queue} ${id}`;
}

function running(scheduler: ListedScheduler, after: () => void): Action {
  return {
    label: 'Run now',
    right: 'operate',
    request: { method: 'POST', path: `${pathOf(scheduler)}/run` },
    done: `${scheduler.id} runs now`,
    after,
  };
}

function pathOf({ queue, id }: ListedScheduler): string {
  return apiPath('queues', queue, 'schedulers', id);
}

function runOf(queue: string, { at, jobId, state }: LastScheduled): VNode {
  return (
    <a href={pageLink(['queues', queue, 'jobs', jobId])}>
      <Time at={at} /> {state}
    </a>
  );
}
