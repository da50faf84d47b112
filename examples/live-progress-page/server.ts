/** Serves a page that shows the jobs of a queue as they go on, and gets it the tickets that it follows them with. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Job {
  readonly id: string;
  readonly name: string;
  readonly timestamp: number;
  readonly state: string;
  readonly progress: unknown;
  readonly failedReason?: string;
}

const queue = process.argv[2] ?? 'clips';
const { JOBGATE_URL = 'http://127.0.0.1:8080', JOBGATE_TOKEN = '', PORT = '3000' } = process.env;
const jobgate = JOBGATE_URL.replace(/\/+$/, '');
const queueUrl = `${jobgate}/queues/${encodeURIComponent(queue)}`;
const page = readFileSync(new URL('page.html', import.meta.url));

/** Calls jobgate with the token, which the page never sees. */
async function call(url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${JOBGATE_TOKEN}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // The queue begins with its first job.
  if (answer.status === 404) return { jobs: [] };
  if (!answer.ok) throw new Error(`jobgate answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** What the page receives. This server decides whom it serves and what they may see. */
const answers: Readonly<Record<string, () => Promise<unknown>>> = {
  'POST /ticket': async () => {
    const { ticket } = (await call(`${jobgate}/tickets`, { queues: [queue] })) as {
      ticket: string;
    };
    return { events: `${queueUrl}/events?ticket=${ticket}` };
  },
  'GET /jobs': async () => {
    const { jobs } = (await call(`${queueUrl}/jobs?length=50`)) as { jobs: readonly Job[] };
    return {
      queue,
      jobs: jobs.map(({ id, name, timestamp, state, progress, failedReason }) => ({
        id,
        name,
        timestamp,
        state,
        progress,
        failedReason,
      })),
    };
  },
};

const server = createServer((request, response) => {
  const answer = answers[`${request.method} ${request.url}`];
  if (answer !== undefined) {
    answer().then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
        response.writeHead(502).end();
      },
    );
  } else if (request.url === '/') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  } else {
    response.writeHead(404).end();
  }
});

server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`Listening on http://127.0.0.1:${port}/`);
});
