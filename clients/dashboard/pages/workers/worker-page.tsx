import type { VNode } from 'preact';
import { stoppedInWords } from '../../../../src/domain/values/stop-in-words.ts';
import type { Figures, LatestCall, Worker, WorkerHealth } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { durations } from '../../format/duration.ts';
import { exactNumber, percentage } from '../../format/number.tsx';
import { Time } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';
import {
  column,
  durationColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from '../../parts/columns.tsx';
import { Card } from '../../parts/card.tsx';
import { EditRegistration } from '../../parts/edit-registration.tsx';
import { JobLink } from '../../parts/job-link.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { NewSecret } from '../../parts/new-secret.tsx';
import { List } from '../../parts/list.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { StopButton } from '../../parts/stop-button.tsx';
import type { Column } from '../../parts/table.tsx';
import { CallBars } from './call-bars.tsx';
import { LatencyStrip } from './latency-strip.tsx';
import { StatusMix } from './status-mix.tsx';
import { TestCall } from './test-call.tsx';

const EVERY = 5000;
const FIGURES_EVERY = 30_000;

/** The endpoint of one queue: its health, its latest calls, and what it was registered with. */
export function WorkerPage({ queue }: { readonly queue: string }): VNode {
  const path = apiPath('workers', queue);
  const health = useResource<WorkerHealth>(`${path}/health`, EVERY);
  const registration = useResource<Worker>(path);
  const calls = useResource<readonly LatestCall[]>(`${path}/calls`, EVERY);
  const figures = useResource<Figures>(apiPath('queues', queue, 'figures'), FIGURES_EVERY);
  const { data } = health;
  return (
    <Page
      title={`Worker of ${queue}`}
      heading={
        <>
          Worker of <bdi>{queue}</bdi>
        </>
      }
      context={
        data && (
          <>
            <StateLabel state={data.state} />
            <span class="text">{reasonInWords(data)}</span>
            {data.until !== null && <Time at={data.until} />}
            <a href={pageLink(['queues', queue])}>Its jobs</a>
          </>
        )
      }
      actions={
        data && (
          <>
            {registration.data?.endpoint.url !== null && (
              <TestCall queue={queue} done={calls.refresh} />
            )}
            <StopButton
              label="Disable"
              path={path}
              name={`The worker of ${queue}`}
              title={`Disable the worker of ${queue}`}
              isStopped={data.state === 'disabled'}
              refresh={health.reread}
            >
              Its endpoint is not called until it is enabled, and jobs wait. Running calls finish.
            </StopButton>
            {registration.data && (
              <EditRegistration
                what={`the worker of ${queue}`}
                value={registration.data}
                request={(body) => ({ method: 'POST', path: 'workers', body })}
                done={`The worker of ${queue} is registered anew`}
                saved={() => {
                  registration.reread();
                  health.reread();
                }}
              />
            )}
            {registration.data?.endpoint.signing === true && (
              <NewSecret
                label="Rotate secret …"
                title={`The signing secret of ${queue}`}
                right="configure"
                request={{ method: 'POST', path: `${path}/rotate-secret` }}
                field="secret"
              >
                Calls are signed with the new secret and with the old one until tomorrow.
              </NewSecret>
            )}
            <RemoveButton
              kind="worker"
              name={queue}
              title={`Remove the worker of ${queue}`}
              done={`${queue} has no worker any more`}
            >
              Its jobs stay, and wait until another worker is registered or a client claims them.
            </RemoveButton>
          </>
        )
      }
    >
      {health.error?.status === 404 ? (
        <p class="empty">
          No worker is registered for <bdi>{queue}</bdi>.{' '}
          <a href={pageLink(['queues', queue])}>The queue shows how to register one</a>
        </p>
      ) : (
        <>
          <Read of={health}>
            {({ calls: count, failures, latencyMs, lastError }) => (
              <dl class="figures figures-plain" aria-label="The last ten minutes">
                {figure('Calls in 10 min', exactNumber(count))}
                {figure('Failed', failuresOf(failures, count))}
                {figure(
                  'p50 · p95 · p99',
                  durations([latencyMs.p50, latencyMs.p95, latencyMs.p99]),
                )}
                {figure('Last error', lastError ?? 'none')}
              </dl>
            )}
          </Read>
          <div class="columns columns-wide">
            <div>
              <Card title="Latest calls">
                <List
                  label="Latest calls"
                  of={calls}
                  rowsOf={(latest) => latest}
                  columns={columns(queue)}
                  keyOf={({ job, attempt, startedAt }) => `${job} ${attempt} ${startedAt}`}
                  none={<p class="muted">The endpoint was not called lately.</p>}
                  around={(table, latest) => (
                    <>
                      <CallBars calls={latest} />
                      {table}
                    </>
                  )}
                />
              </Card>
            </div>
            <div>
              <Card title="The last hour">
                <Read of={figures}>
                  {(data) => (
                    <>
                      <StatusMix figures={data} />
                      <LatencyStrip figures={data} />
                    </>
                  )}
                </Read>
              </Card>
              <Card title="Registration">
                <Read of={registration}>
                  {(data) => <JsonView label="Registration" text={JSON.stringify(data)} />}
                </Read>
              </Card>
            </div>
          </div>
        </>
      )}
    </Page>
  );
}

function reasonInWords({ by, since, reason }: WorkerHealth): string | null {
  return by === undefined || since === null ? reason : stoppedInWords({ by, at: since, reason });
}

function failuresOf(failures: number, calls: number): string {
  return `${exactNumber(failures)} (${percentage(calls === 0 ? null : failures / calls)})`;
}

function figure(name: string, value: string): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="text">
        <strong>{value}</strong>
      </dd>
    </div>
  );
}

function columns(queue: string): readonly Column<LatestCall>[] {
  return [
    column('Job', ({ job }) => <JobLink queue={queue} id={job} />),
    stateColumn('Outcome', ({ outcome }) => outcome),
    numberColumn('Attempt', ({ attempt }) => attempt),
    numberColumn('Status', ({ status }) => status),
    durationColumn('Time', ({ durationMs }) => durationMs),
    timeColumn('When', ({ startedAt }) => startedAt),
    textColumn('Reason', ({ reason }) => reason),
    column('Replica', ({ replica }) => <span class="muted">{replica}</span>, { phone: 'hidden' }),
  ];
}
