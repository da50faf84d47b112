import type { VNode } from 'preact';
import { parsedUrl } from '../../../../src/domain/values/parsed-url.ts';
import type { ListedHealth, WorkersHealth } from '../../../typescript/src/api.ts';
import { withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { goTo, pageLink, query } from '../../navigation/route.ts';
import {
  column,
  countColumn,
  durationColumn,
  linkColumn,
  numberColumn,
  numericColumn,
  timeColumn,
  urlColumn,
} from '../../parts/columns.tsx';
import { Commands } from '../../parts/commands.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { FailureRate } from '../../parts/failure-rate.tsx';
import { ParameterChoice } from '../../parts/fields.tsx';
import { ActionMenu } from '../../parts/menu.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, pageStart } from '../../parts/pager.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import type { Column } from '../../parts/table.tsx';
import { FIRST_WORKER } from '../queues/no-queues.tsx';
import { latencySpread } from './latency-spread.tsx';
import { disabling } from '../../parts/stopping.ts';

const EVERY = 5000;
const LENGTH = 50;
const NO_URL = 'endpoints of jobs';
const STATES = ['healthy', 'held', 'open', 'probing', 'disabled'];

/** The endpoints that are called, and how well their calls go. */
export function WorkersPage(): VNode {
  const state = query.value.get('state') ?? '';
  const workers = useResource<WorkersHealth>(
    withQuery('workers', { view: 'health', start: pageStart(), length: LENGTH, state }),
    EVERY,
  );
  return (
    <Page title="Workers" context="Calls of the last ten minutes, over all replicas">
      <div class="filter">
        <ParameterChoice label="State" parameter="state" values={STATES} />
        <span class="muted">
          {workers.data &&
            `${exactNumber(workers.data.total)} ${state === '' ? 'in all' : 'match'}`}
        </span>
      </div>
      <List
        label="Workers"
        of={workers}
        rowsOf={({ workers: rows }) => rows}
        columns={columns(workers.reread)}
        keyOf={({ queue }) => queue}
        none={
          state === '' ? (
            <Commands title="No endpoint is registered yet" commands={[FIRST_WORKER]}>
              The jobs of a queue are sent to its endpoint, one request for each. Clients may claim
              them instead.
            </Commands>
          ) : (
            <p class="empty">No worker is {state}.</p>
          )
        }
        around={(table, { total }) => (
          <>
            {table}
            <Pager length={LENGTH} total={total} />
          </>
        )}
      />
    </Page>
  );
}

function columns(refresh: () => void): readonly Column<ListedHealth>[] {
  const latency = (name: 'p50' | 'p95' | 'p99', phone?: 'hidden'): Column<ListedHealth> =>
    durationColumn(name, ({ latencyMs }) => latencyMs[name], phone && { phone });
  return [
    linkColumn('Queue', ({ queue }) => ['workers', queue]),
    {
      label: 'State',
      phone: 'beside',
      cell: ({ state, reason, until }) => (
        <span title={reason ?? undefined}>
          <StateLabel state={state} />
          {until !== null && (
            <span class="muted">
              {' '}
              <Time at={until} />
            </span>
          )}
        </span>
      ),
    },
    urlColumn('Endpoint', ({ method, url }) => [
      url ?? NO_URL,
      `${method.toUpperCase()} ${url === null ? NO_URL : shortUrl(url)}`,
    ]),
    numberColumn('Running', ({ running, concurrency }) => `${running}/${concurrency}`),
    countColumn('Calls', ({ calls }) => calls),
    numericColumn('Failed', ({ calls, failures }) => (
      <FailureRate value={calls === 0 ? null : failures / calls} />
    )),
    latency('p50'),
    latency('p95'),
    latency('p99', 'hidden'),
    column('Spread', ({ latencyMs }) => latencySpread(latencyMs), { phone: 'hidden' }),
    numberColumn('Last', ({ lastStatus }) => lastStatus),
    column('Signed', ({ signed }) => (signed ? 'yes' : 'no'), { phone: 'hidden' }),
    timeColumn('Registered', ({ registeredAt }) => registeredAt, { phone: 'hidden' }),
    {
      label: 'Actions',
      heading: <span class="unseen">Actions</span>,
      phone: 'hidden',
      cell: ({ queue, url, state }) => (
        <ActionMenu
          label={`More actions on the worker of ${queue}`}
          actions={[disabling(queue, state === 'disabled', refresh)]}
          others={[
            { label: 'Open', choose: () => goTo(pageLink(['workers', queue])) },
            ...(url === null ? [] : [{ label: 'Copy the URL', choose: () => void copyText(url) }]),
          ]}
        />
      ),
    },
  ];
}

/** The host and the path: the parts in which URLs differ. */
function shortUrl(text: string): string {
  const { host = text, pathname = '/' } = parsedUrl(text) ?? {};
  return host + (pathname === '/' ? '' : pathname);
}
