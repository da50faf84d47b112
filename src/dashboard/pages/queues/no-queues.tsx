import type { VNode } from 'preact';
import { asCurl } from '../../api/curl.ts';
import { Commands } from '../../parts/commands.tsx';

const FIRST_JOB = asCurl({
  method: 'POST',
  path: 'queues/thumbnails/jobs',
  body: [{ name: 'scale', data: { file: 'dog.png', width: 320 } }],
});

export const FIRST_WORKER = asCurl({
  method: 'POST',
  path: 'workers',
  body: {
    queue: 'thumbnails',
    endpoint: { url: 'http://localhost:3000/', method: 'post' },
    opts: { concurrency: 4 },
  },
});

/** How the first queue comes to be. */
export function NoQueues(): VNode {
  return (
    <Commands title="There are no queues yet" commands={[FIRST_WORKER, FIRST_JOB]}>
      Register the endpoint that does the work, and add a job. The queue is made by either.
    </Commands>
  );
}
