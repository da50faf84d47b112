import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { JobSummary, QueuesPage, SummariesPage } from '../../../typescript/src/api.ts';
import { asCurl } from '../../api/curl.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { Count } from '../../format/number.tsx';
import { goTo, pageLink, query } from '../../navigation/route.ts';
import { column, textColumn, timeColumn } from '../../parts/columns.tsx';
import { Commands } from '../../parts/commands.tsx';
import { Form } from '../../parts/dialog.tsx';
import { shortId } from '../../parts/job-link.tsx';
import { List } from '../../parts/list.tsx';
import { Page, Read } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';

const EVERY = 10_000;

/** How many queues are searched for parents: as many as one answer has at most. */
const QUEUES = 1000;

const FIRST_FLOW = asCurl({
  method: 'POST',
  path: 'flows',
  body: {
    queue: 'reports',
    name: 'yearly',
    data: { year: 2026 },
    children: [{ queue: 'invoices', name: 'collect', data: { year: 2026 } }],
  },
});

/** The jobs that wait for others, by queue. Any flow can be opened by the id of one of its jobs. */
export function FlowsPage(): VNode {
  const chosen = query.value.get('queue');
  const queues = useResource<QueuesPage>(withQuery('queues', { length: QUEUES }), EVERY);
  const waiting = queues.data?.queues.filter(({ counts }) => counts['waiting-children'] > 0);
  const queue = chosen ?? waiting?.[0]?.name;
  return (
    <Page title="Flows" context="Jobs that wait for their children">
      <OpenFlow queue={queue ?? ''} />
      <Read of={queues}>
        {() =>
          waiting?.length === 0 && chosen === null ? (
            <Commands title="No job waits for children" commands={[FIRST_FLOW]}>
              A flow is a job that starts once its children are completed.
            </Commands>
          ) : (
            <>
              <nav class="tabs" aria-label="Queues with flows">
                {waiting?.map(({ name, counts }) => (
                  <a
                    key={name}
                    href={pageLink(['flows'], { queue: name })}
                    aria-current={name === queue ? 'page' : undefined}
                  >
                    <bdi>{name}</bdi> <Count value={counts['waiting-children']} />
                  </a>
                ))}
              </nav>
              {queue !== undefined && <Parents key={queue} queue={queue} />}
            </>
          )
        }
      </Read>
    </Page>
  );
}

function OpenFlow({ queue }: { readonly queue: string }): VNode {
  const name = useRef<HTMLInputElement>(null);
  const id = useRef<HTMLInputElement>(null);
  return (
    <search class="filter">
      <Form
        submit={() => goTo(pageLink(['flows', name.current?.value ?? '', id.current?.value ?? '']))}
      >
        <input
          key={queue}
          ref={name}
          type="text"
          required
          aria-label="Queue"
          placeholder="Queue"
          defaultValue={queue}
        />
        <input ref={id} type="search" required aria-label="Id of a job" placeholder="Id of a job" />
        <button type="submit">Open the flow</button>
      </Form>
    </search>
  );
}

function Parents({ queue }: { readonly queue: string }): VNode {
  const parents = useResource<SummariesPage>(
    withQuery(apiPath('queues', queue, 'jobs'), {
      view: 'summary',
      statuses: 'waiting-children',
      length: 100,
    }),
    EVERY,
  );
  const columns: readonly Column<JobSummary>[] = [
    column('Flow', ({ id }) => (
      <a class="id" href={pageLink(['flows', queue, id])} title={id}>
        {shortId(id)}
      </a>
    )),
    textColumn('Name', ({ name }) => name),
    timeColumn('Added', ({ timestamp }) => timestamp),
    column(
      'Part of',
      ({ parent }) =>
        parent && <a href={pageLink(['flows', parent.queue, parent.id])}>{shortId(parent.id)}</a>,
    ),
  ];
  return (
    <List
      label="Flows"
      of={parents}
      rowsOf={({ jobs }) => jobs}
      columns={columns}
      keyOf={({ id }) => id}
      none={
        <p class="empty">
          No job of <bdi>{queue}</bdi> waits for children.
        </p>
      }
    />
  );
}
