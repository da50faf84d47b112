import type { VNode } from 'preact';
import { loadedPage } from './loaded-page.tsx';
import { NoPage } from './no-page.tsx';
import { QueuesPage } from './queues/queues-page.tsx';

const QueuePage = loadedPage(
  ({ name }) => name,
  async () => (await import('./queue/queue-page.tsx')).QueuePage,
);
const JobPage = loadedPage(
  ({ id }) => `Job ${id}`,
  async () => (await import('./job/job-page.tsx')).JobPage,
);
const FailuresPage = loadedPage(
  () => 'Failures',
  async () => (await import('./failures/failures-page.tsx')).FailuresPage,
);
const WorkersPage = loadedPage(
  () => 'Workers',
  async () => (await import('./workers/workers-page.tsx')).WorkersPage,
);
const WorkerPage = loadedPage(
  ({ queue }) => `Worker of ${queue}`,
  async () => (await import('./workers/worker-page.tsx')).WorkerPage,
);
const HooksPage = loadedPage(
  () => 'Hooks',
  async () => (await import('./hooks/hooks-page.tsx')).HooksPage,
);
const HookPage = loadedPage(
  ({ id }) => `Hook ${id}`,
  async () => (await import('./hooks/hook-page.tsx')).HookPage,
);
const SchedulersPage = loadedPage(
  () => 'Schedulers',
  async () => (await import('./schedulers/schedulers-page.tsx')).SchedulersPage,
);
const FlowsPage = loadedPage(
  () => 'Flows',
  async () => (await import('./flows/flows-page.tsx')).FlowsPage,
);
const FlowPage = loadedPage(
  ({ id }) => `Flow ${id}`,
  async () => (await import('./flows/flow-page.tsx')).FlowPage,
);
const ActivityPage = loadedPage(
  () => 'Activity',
  async () => (await import('./activity/activity-page.tsx')).ActivityPage,
);
const SystemPage = loadedPage(
  () => 'System',
  async () => (await import('./system/system-page.tsx')).SystemPage,
);

/** The page of a path below `/dashboard`. */
export function pageOf([room = 'queues', queue, id, job, ...rest]: readonly string[]): VNode {
  if (rest.length > 0) return <NoPage />;
  if (job !== undefined) {
    return room === 'queues' && queue !== undefined && id === 'jobs' ? (
      <JobPage key={`${queue}/${job}`} queue={queue} id={job} />
    ) : (
      <NoPage />
    );
  }
  if (queue !== undefined && id !== undefined) {
    return room === 'flows' ? (
      <FlowPage key={`${queue}/${id}`} queue={queue} id={id} />
    ) : (
      <NoPage />
    );
  }
  if (queue !== undefined) {
    if (room === 'queues') return <QueuePage key={queue} name={queue} />;
    if (room === 'hooks') return <HookPage key={queue} id={queue} />;
    return room === 'workers' ? <WorkerPage key={queue} queue={queue} /> : <NoPage />;
  }
  switch (room) {
    case 'queues':
      return <QueuesPage />;
    case 'failures':
      return <FailuresPage />;
    case 'workers':
      return <WorkersPage />;
    case 'hooks':
      return <HooksPage />;
    case 'schedulers':
      return <SchedulersPage />;
    case 'flows':
      return <FlowsPage />;
    case 'activity':
      return <ActivityPage />;
    case 'system':
      return <SystemPage />;
    default:
      return <NoPage />;
  }
}
