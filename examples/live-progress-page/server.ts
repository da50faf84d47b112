/** Serves a page that shows the jobs of a queue as they go on, and gets it the tickets that it follows them with. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Jobgate, JobgateError, type Job } from 'jobgate-client';

const queue = process.argv[2] ?? 'clips';
const { JOBGATE_URL = 'http://127.0.0.1:8080', PORT = '3000' } = process.env;
const jobgate = new Jobgate({ url: JOBGATE_URL });
const queueUrl = `${JOBGATE_URL.replace(/\/+$/, '')}/queues/${encodeURIComponent(queue)}`;
const page = readFileSync(new URL('page.html', import.meta.url));

/** Up to so many jobs are shown. */
const SHOWN = 50;

/** None where there is no queue: it begins with its first job. */
async function shownJobs(): Promise<readonly Job[]> {
  try {
    return (await jobgate.queue(queue).jobs({ length: SHOWN })).jobs;
  } catch (error) {
    if (error instanceof JobgateError && error.status === 404) return [];
    throw error;
  }
}

/** What the page receives. This server decides whom it serves and what they may see. */
const answers: Readonly<Record<string, () => Promise<unknown>>> = {
  'POST /ticket': async () => {
    const body = { queues: [queue] };
    const { ticket } = await jobgate.request<{ ticket: string }>('POST', '/tickets', { body });
    return { events: `${queueUrl}/events?ticket=${ticket}` };
  },
  'GET /jobs': async () => {
    return {
      queue,
      jobs: (await shownJobs()).map(({ id, name, timestamp, state, progress, failedReason }) => ({
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
