import type { VNode } from 'preact';
import { OtherPage } from './other-page.tsx';
import { QueuePage } from './queue/queue-page.tsx';
import { QueuesPage } from './queues/queues-page.tsx';

/** The page of a path below `/dashboard`. */
export function pageOf(path: readonly string[]): VNode {
  const [room = 'queues', queue] = path;
  if (room !== 'queues' || path.length > 2) return <OtherPage path={path} />;
  return queue === undefined ? <QueuesPage /> : <QueuePage key={queue} name={queue} />;
}
