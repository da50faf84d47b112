import type { VNode } from 'preact';
import type { Scheduler, Schedulers } from '../../api/answers.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import { ActionButton, type Action } from '../../parts/action.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Pager, pageStart } from '../../parts/pager.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { DayStrip } from './day-strip.tsx';
import { repeatInWords } from './repeat-in-words.ts';

const EVERY = 10_000;
const LENGTH = 100;

/** All schedulers, the next run first. */
export function SchedulersPage(): VNode {
  const schedulers = useResource<Schedulers>(
    withQuery('schedulers', { sort: 'next', start: pageStart(), length: LENGTH }),
    EVERY,
  );
  return (
    <Page
      title="Schedulers"
      context={schedulers.data && `${exactNumber(schedulers.data.total)} in all, the next first`}
    >
      <Read of={schedulers}>
        {({ total, schedulers: rows }) =>
          rows.length === 0 ? (
            <p class="empty">
              Nothing runs by itself. <code>PUT /queues/mail/schedulers/nightly</code> makes a
              scheduler.
            </p>
          ) : (
            <>
              <DayStrip schedulers={rows} />
              <Table
                label="Schedulers"
                columns={columns(schedulers.reread)}
                rows={rows}
                keyOf={({ queue, id }) => `${queue} ${id}`}
                isStale={schedulers.isBusy}
              />
              <Pager length={LENGTH} total={total} />
            </>
          )
        }
      </Read>
    </Page>
  );
}

function columns(refresh: () => void): readonly Column<Scheduler>[] {
  return [
    { label: 'Scheduler', cell: ({ id }) => <span class="text id">{id}</span> },
    {
      label: 'Queue',
      cell: ({ queue }) => (
        <a class="name" href={pageLink(['queues', queue])}>
          {queue}
        </a>
      ),
    },
    {
      label: 'Next',
      cell: ({ paused, next }) =>
        paused ? <StateLabel state="paused" /> : <Time at={next[0] ?? null} />,
    },
    {
      label: 'Repeats',
      cell: ({ repeat }) => (
        <span title={repeat.pattern}>
          {repeatInWords(repeat)}
          {repeat.tz !== undefined && <span class="muted"> {repeat.tz}</span>}
        </span>
      ),
    },
    { label: 'Job', cell: ({ job }) => <span class="text">{job.name}</span> },
    {
      label: 'Last',
      cell: ({ queue, last }) =>
        last === null ? (
          <span class="muted">never</span>
        ) : (
          <a href={pageLink(['queues', queue, 'jobs', last.jobId])}>
            <Time at={last.at} /> {last.state}
          </a>
        ),
    },
    { label: 'Overlap', cell: ({ overlap }) => overlap },
    {
      label: 'Actions',
      cell: ({ queue, id, paused }) => (
        <span class="buttons row-actions">
          <ActionButton action={action(queue, id, 'run', 'Run now', 'runs now', refresh)} />
          <ActionButton
            action={
              paused
                ? action(queue, id, 'resume', 'Resume', 'goes on', refresh)
                : action(queue, id, 'pause', 'Pause', 'is paused', refresh)
            }
          />
        </span>
      ),
    },
  ];
}

function action(
  queue: string,
  id: string,
  verb: string,
  label: string,
  done: string,
  after: () => void,
): Action {
  return {
    label,
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'schedulers', id, verb) },
    done: `${id} ${done}`,
    after,
  };
}
