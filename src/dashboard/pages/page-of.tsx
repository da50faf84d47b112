import type { VNode } from 'preact';
import { pageLink } from '../navigation/route.ts';
import { Page } from '../parts/page.tsx';
import { JobPage } from './job/job-page.tsx';
import { QueuePage } from './queue/queue-page.tsx';
import { QueuesPage } from './queues/queues-page.tsx';

/** The page of a path below `/dashboard`. */
export function pageOf(path: readonly string[]): VNode {
  const [room = 'queues', queue, kind, id] = path;
  switch (room) {
    case 'queues':
      if (queue === undefined) return <QueuesPage />;
      if (kind === undefined) return <QueuePage key={queue} name={queue} />;
      if (kind === 'jobs' && id !== undefined && path.length === 4) {
        return <JobPage key={`${queue}/${id}`} queue={queue} id={id} />;
      }
      return <NoPage />;
    default:
      return <NoPage />;
  }
}

function NoPage(): VNode {
  return (
    <Page title="No such page">
      <p class="empty">
        There is nothing here. <a href={pageLink([])}>Go to the queues</a>
      </p>
    </Page>
  );
}
