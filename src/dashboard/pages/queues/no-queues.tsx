import type { VNode } from 'preact';
import { asCurl } from '../../api/curl.ts';
import { CopyButton } from '../../parts/copy-button.tsx';

const FIRST_JOB = asCurl({
  method: 'POST',
  path: 'queues/thumbnails/jobs',
  body: [{ name: 'scale', data: { file: 'dog.png', width: 320 } }],
});

const FIRST_WORKER = asCurl({
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
    <section class="card">
      <h2>There are no queues yet</h2>
      <p>Register the endpoint that does the work, and add a job. The queue is made by either.</p>
      {[FIRST_WORKER, FIRST_JOB].map((command) => (
        <div key={command} class="command">
          <pre tabIndex={0}>{command}</pre>
          <CopyButton text={command} />
        </div>
      ))}
    </section>
  );
}
