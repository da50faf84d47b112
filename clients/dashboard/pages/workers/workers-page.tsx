import type { VNode } from 'preact';
import type { ListedHealth, WorkersHealth } from '../../../typescript/src/api.ts';
import { withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { duration } from '../../format/duration.ts';
import { exactNumber } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { goTo, pageLink, query } from '../../navigation/route.ts';
import { countColumn, linkColumn, numberColumn, timeColumn } from '../../parts/columns.tsx';
import { Commands } from '../../parts/commands.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { FailureRate } from '../../parts/failure-rate.tsx';
import { ParameterChoice } from '../../parts/fields.tsx';
import { ActionMenu } from '../../parts/menu.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Pager, pageStart } from '../../parts/pager.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { FIRST_WORKER } from '../queues/no-queues.tsx';
import { LatencySpread } from './latency-spread.tsx';
import { switching } from './worker-actions.ts';

const EVERY = 5000;
const LENGTH = 50;
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
      <Read of={workers}>
        {({ total, workers: rows }) =>
          rows.length === 0 ? (
            state === '' ? (
              <Commands title="No endpoint is registered yet" commands={[FIRST_WORKER]}>
                The jobs of a queue are sent to its endpoint, one request for each. Clients may
                claim them instead.
              </Commands>
            ) : (
              <p class="empty">No worker is {state}.</p>
            )
          ) : (
            <>
              <Table
                label="Workers"
                columns={columns(workers.reread)}
                rows={rows}
                keyOf={({ queue }) => queue}
                isStale={workers.isBusy}
              />
              <Pager length={LENGTH} total={total} />
            </>
          )
        }
      </Read>
    </Page>
  );
}

function columns(refresh: () => void): readonly Column<ListedHealth>[] {
  const latency = (name: 'p50' | 'p95' | 'p99'): Column<ListedHealth> => ({
    label: name,
    isNumber: true,
    cell: ({ latencyMs }) => <span class="number">{duration(latencyMs[name])}</span>,
  });
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
    {
      label: 'Endpoint',
      cell: ({ method, url }) => (
        <span class="endpoint id" title={url}>
          {method.toUpperCase()} {shortUrl(url)}
        </span>
      ),
    },
    {
      label: 'Running',
      isNumber: true,
      cell: ({ running, concurrency }) => (
        <span class="number">
          {running}/{concurrency}
        </span>
      ),
    },
    countColumn('Calls', ({ calls }) => calls),
    {
      label: 'Failed',
      isNumber: true,
      cell: ({ calls, failures }) => <FailureRate value={calls === 0 ? null : failures / calls} />,
    },
    latency('p50'),
    latency('p95'),
    { ...latency('p99'), phone: 'hidden' },
    {
      label: 'Spread',
      phone: 'hidden',
      cell: ({ latencyMs }) => <LatencySpread of={latencyMs} />,
    },
    numberColumn('Last', ({ lastStatus }) => lastStatus),
    { label: 'Signed', phone: 'hidden', cell: ({ signed }) => (signed ? 'yes' : 'no') },
    timeColumn('Registered', ({ registeredAt }) => registeredAt, { phone: 'hidden' }),
    {
      label: 'Actions',
      heading: <span class="unseen">Actions</span>,
      phone: 'hidden',
      cell: ({ queue, url, state }) => (
        <ActionMenu
          label={`More actions on the worker of ${queue}`}
          actions={[switching(queue, state === 'disabled', refresh)]}
          others={[
            { label: 'Open', choose: () => goTo(pageLink(['workers', queue])) },
            { label: 'Copy the URL', choose: () => void copyText(url) },
          ]}
        />
      ),
    },
  ];
}

/** The host and the path: the parts in which URLs differ. */
function shortUrl(text: string): string {
  try {
    const { host, pathname } = new URL(text);
    return host + (pathname === '/' ? '' : pathname);
  } catch {
    return text;
  }
}
