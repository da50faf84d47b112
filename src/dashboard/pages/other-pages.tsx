import type { VNode } from 'preact';
import { ActivityPage } from './activity/activity-page.tsx';
import { FailuresPage } from './failures/failures-page.tsx';
import { FlowPage } from './flows/flow-page.tsx';
import { FlowsPage } from './flows/flows-page.tsx';
import { JobPage } from './job/job-page.tsx';
import { NoPage } from './no-page.tsx';
import { QueuePage } from './queue/queue-page.tsx';
import { SchedulersPage } from './schedulers/schedulers-page.tsx';
import { SystemPage } from './system/system-page.tsx';
import { WorkerPage } from './workers/worker-page.tsx';
import { WorkersPage } from './workers/workers-page.tsx';

export function otherPage([room, queue, id, ...rest]: readonly string[]): VNode {
  if (room === 'queues' && queue !== undefined && id === 'jobs' && rest.length === 1) {
    const [job = ''] = rest;
    return <JobPage key={`${queue}/${job}`} queue={queue} id={job} />;
  }
  if (room === 'queues' && queue !== undefined && id === undefined) {
    return <QueuePage key={queue} name={queue} />;
  }
  if (room === 'flows' && queue !== undefined && id !== undefined && rest.length === 0) {
    return <FlowPage key={`${queue}/${id}`} queue={queue} id={id} />;
  }
  if (room === 'workers' && queue !== undefined && id === undefined) {
    return <WorkerPage key={queue} queue={queue} />;
  }
  if (queue !== undefined) return <NoPage />;
  switch (room) {
    case 'failures':
      return <FailuresPage />;
    case 'workers':
      return <WorkersPage />;
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
