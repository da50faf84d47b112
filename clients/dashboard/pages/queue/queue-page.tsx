import type { VNode } from 'preact';
import { inWords } from '../../../../src/domain/values/duration.ts';
import { stoppedInWords } from '../../../../src/domain/values/stop-in-words.ts';
import type { Figures, Queue } from '../../../typescript/src/api.ts';
import { useDigests } from '../../api/live.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { now } from '../../format/time.tsx';
import { pageLink, query } from '../../navigation/route.ts';
import { Page, Read } from '../../parts/page.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { AddJob } from './add-job.tsx';
import { QueueCharts } from './charts/queue-charts.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { GroupList } from './groups/group-list.tsx';
import { JobList } from './job-list.tsx';
import { NoWorker } from './no-worker.tsx';
import { QueueActions } from './queue-actions.tsx';
import { QueueFigures } from './queue-figures.tsx';
import { stateTab, StateTabs } from './state-tabs.tsx';

const EVERY = 15_000;

/** How often to read the figures, in milliseconds: replicas add to them about as often. */
const FIGURES_EVERY = 10_000;

/** One queue: why it is blocked, how it is doing, and its jobs. */
export function QueuePage({ queue: name }: { readonly queue: string }): VNode {
  const queue = useResource<Queue>(apiPath('queues', name), EVERY);
  const figures = useResource<Figures>(apiPath('queues', name, 'figures'), FIGURES_EVERY);
  const events = `${apiPath('queues', name, 'events')}?digest=1000`;
  // The events of a queue that the token may not use are refused too.
  useDigests(queue.data === undefined ? null : events, queue.refresh);
  const { data } = queue;
  const isHeld = data?.heldUntil !== undefined && data.heldUntil !== null;
  return (
    <Page
      title={name}
      heading={<bdi>{name}</bdi>}
      copied={name}
      context={data && <Standing queue={data} />}
      actions={
        data && (
          <>
            <AddJob queue={name} added={queue.reread} />
            <QueueActions
              queue={name}
              isPaused={data.paused}
              isHeld={isHeld}
              refresh={queue.reread}
            />
          </>
        )
      }
    >
      {queue.error?.status === 404 ? (
        <NoQueue name={name} />
      ) : (
        <Read of={queue}>
          {({ counts, worker, deadLetters }) => (
            <>
              {deadLetters !== null && (
                <DeadLetters queue={name} from={deadLetters.from} done={queue.reread} />
              )}
              {worker === null && deadLetters === null && <NoWorker queue={name} />}
              <QueueFigures figures={figures.data} />
              <QueueCharts queue={name} />
              <StateTabs queue={name} counts={counts} />
              {query.value.get('tab') === 'groups' ? (
                <GroupList queue={name} />
              ) : (
                <JobList
                  key={stateTab()}
                  queue={name}
                  state={stateTab()}
                  counts={counts}
                  text={query.value.get('search') ?? ''}
                />
              )}
            </>
          )}
        </Read>
      )}
    </Page>
  );
}

function NoQueue({ name }: { readonly name: string }): VNode {
  return (
    <>
      <p class="empty">
        There is no queue <bdi>{name}</bdi>. Its first job makes it, and so does a worker that is
        registered for it. <a href={pageLink([])}>Go to the queues</a>
      </p>
      <NoWorker queue={name} />
    </>
  );
}

/** The queue in plain words, with its limits. */
function Standing({ queue }: { readonly queue: Queue }): VNode {
  const { blocked, counts, concurrency, limiter, heldUntil, heldBy, paused, policy } = queue;
  const { pause, hold, stuckParents, suspended, window } = queue;
  const waiting = counts.waiting + counts.prioritized;
  const slots = concurrency === null ? 'running' : `of ${concurrency} slots used`;
  const wait = waiting === 0 ? 'nothing waits' : `${exactNumber(waiting)} wait`;
  const running = `${exactNumber(counts.active)} ${slots}, ${wait}`;
  return (
    <>
      <StateLabel state={paused ? 'paused' : (blocked?.reason ?? 'healthy')}>
        {blocked?.detail ??
          (paused ? `The queue is paused ${pause ? stoppedInWords(pause) : ''}` : running)}
      </StateLabel>
      {heldUntil !== null && (
        <span class="chip" title={hold && stoppedInWords(hold)}>
          held for {inWords(heldUntil - now.value)} by{' '}
          {heldBy === 'endpoint' ? 'its endpoint' : (hold?.by ?? 'a caller')}
        </span>
      )}
      {window !== null && <span class="chip">{windowInWords(window)}</span>}
      {limiter !== null && (
        <span class="chip">
          at most {limiter.max} in {inWords(limiter.duration)}
        </span>
      )}
      {concurrency !== null && <span class="chip">{concurrency} at once</span>}
      {policy !== null && (
        <span class="chip" title={JSON.stringify(policy)}>
          policy: {Object.keys(policy).join(', ')}
        </span>
      )}
      {suspended > 0 && (
        <span class="chip" title="Among the delayed jobs, and those that wait for children">
          {exactNumber(suspended)} suspended
        </span>
      )}
      {stuckParents > 0 && (
        <a href={pageLink(['queues', queue.name], { state: 'waiting-children' })}>
          {stuckParents} wait for a child that failed
        </a>
      )}
    </>
  );
}

function windowInWords({ open, changesAt }: NonNullable<Queue['window']>): string {
  const state = open ? 'window open' : 'window closed';
  if (changesAt === null) return state;
  return `${state}, ${open ? 'closes' : 'opens'} in ${inWords(changesAt - now.value)}`;
}
