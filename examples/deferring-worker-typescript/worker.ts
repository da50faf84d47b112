/** A worker endpoint for jobgate with work that takes longer than a call: it accepts a job and completes it later. */

import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** How long jobgate waits for a completion or an extension, in milliseconds. */
const DEADLINE = 60_000;

interface Call {
  readonly job: { readonly id: string; readonly data: { readonly minutes?: unknown } | null };
  readonly token: string;
}

const { PORT = '3000', MINUTE = '60000' } = process.env;

const server = createServer((request, response) => {
  accept(request).then(
    () => response.writeHead(202, { 'jobgate-deadline': String(DEADLINE) }).end(),
    (error: unknown) => response.writeHead(422).end(messageOf(error)),
  );
});

server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as { readonly port: number };
  console.log(`Listening on http://127.0.0.1:${port}`);
});

// No more calls come; the process ends with the last job.
process.once('SIGTERM', () => server.close());

/** Begins with the job, and does not wait for its end. */
async function accept(request: IncomingMessage): Promise<void> {
  const { job, token } = JSON.parse(await text(request)) as Call;
  const callback = request.headers['jobgate-callback'];
  if (typeof callback !== 'string') throw new Error('jobgate must have a PUBLIC_URL');
  const minutes = job.data?.minutes;
  if (typeof minutes !== 'number') throw new Error('data.minutes must be a number');
  work(callback, token, minutes).catch((error: unknown) => console.error(messageOf(error)));
}

/** Work of so many minutes, with a report to jobgate each minute. */
async function work(callback: string, token: string, minutes: number): Promise<void> {
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(Number(MINUTE));
    await post(`${callback}/progress`, token, { minute, minutes });
    await post(`${callback}/extend`, token, { lock: 2 * DEADLINE });
  }
  await post(`${callback}/complete`, token, { minutes });
}

/** Tries again while jobgate is away: the same report may be made again for a minute. */
async function post(url: string, token: string, body: unknown): Promise<void> {
  for (;;) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    if (answer?.ok === true) return;
    // A 401 means that the job was cancelled, or is somebody else's by now.
    if (answer !== undefined && answer.status < 500) {
      throw new Error(`jobgate refused ${url}: ${answer.status} ${await answer.text()}`);
    }
    await sleep(1000);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
