import type { VNode } from 'preact';
import { asCurl } from '../../api/curl.ts';
import { ROOT } from '../../api/request.ts';
import { CopyButton } from '../../parts/copy-button.tsx';

/** The ways to get the jobs of a queue processed: by an endpoint, or by a client that claims them. */
export function NoWorker({ queue }: { readonly queue: string }): VNode {
  return (
    <details class="notice">
      <summary>
        No endpoint is registered for <bdi>{queue}</bdi>. How to register one, or claim its jobs
      </summary>
      {snippets(queue).map(([name, text]) => (
        <figure key={name} class="snippet">
          <figcaption>
            {name} <CopyButton text={text} />
          </figcaption>
          <pre tabIndex={0}>{text}</pre>
        </figure>
      ))}
    </details>
  );
}

function snippets(queue: string): readonly (readonly [name: string, text: string])[] {
  const name = JSON.stringify(queue);
  const url = JSON.stringify(ROOT.href.replace(/\/$/, ''));
  const endpoint = { url: 'http://localhost:3000/', method: 'post' };
  return [
    ['Endpoint, with curl', asCurl({ method: 'POST', path: 'workers', body: { queue, endpoint } })],
    [
      'Claims, in TypeScript',
      `import { Jobgate } from 'jobgate-client';

const jobgate = new Jobgate({ url: ${url}, token: process.env.JOBGATE_TOKEN });
const worker = jobgate.pull(${name}, async (job) => ({ done: job.id }));
await worker.closed;`,
    ],
    [
      'Claims, in Python',
      `import os
from jobgate import Jobgate

jobgate = Jobgate(${url}, os.environ["JOBGATE_TOKEN"])
jobgate.pull(${name}, lambda job, context: {"done": job["id"]}).join()`,
    ],
    [
      'One claim, with curl',
      asCurl({
        method: 'POST',
        path: `queues/${encodeURIComponent(queue)}/jobs/claim`,
        body: { count: 1 },
      }),
    ],
  ];
}
