import type { VNode } from 'preact';
import { OtherPage } from './other-page.tsx';
import { QueuesPage } from './queues/queues-page.tsx';

/** The page of a path below `/dashboard`. */
export function pageOf(path: readonly string[]): VNode {
  const [room = 'queues'] = path;
  return room === 'queues' && path.length < 2 ? <QueuesPage /> : <OtherPage path={path} />;
}
