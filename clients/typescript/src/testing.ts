import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { sign } from './signature.ts';
import type { Job } from './api.ts';

export interface SignedRequestOptions {
  /** Replaces the usual body, which contains the job. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** The values of saved steps by their names. */
  readonly steps?: Readonly<Record<string, unknown>>;
  readonly now?: number | (() => number);
}

/** A request that a worker with this secret accepts. */
export async function signedRequest(
  job: Partial<Job>,
  secret: string,
  { body, headers = {}, steps, now = Date.now }: SignedRequestOptions = {},
): Promise<Request> {
  const whole = {
    id: '1',
    name: 'test',
    data: null,
    opts: { attempts: 0, delay: 0 },
    attemptsMade: 0,
    ...job,
  };
  const content = body ?? JSON.stringify({ job: whole, token: 'test-token', steps });
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const id = `msg_${encodeURIComponent(whole.id)}`;
  const timestamp = String(Math.floor((typeof now === 'number' ? now : now()) / 1000));
  return new Request('http://worker.test/', {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': await sign(secret, id, timestamp, bytes),
      'jobgate-queue': 'test',
      'jobgate-job-id': encodeURIComponent(whole.id),
      'jobgate-job-name': encodeURIComponent(whole.name),
      'jobgate-attempt': '1',
      'jobgate-max-attempts': '1',
      'jobgate-deadline': '30000',
      ...headers,
    },
  });
}

/** The reports of a worker on a job. */
export interface Report {
  readonly queue: string;
  readonly id: string;
  readonly token: string;
  readonly verb: string;
  readonly body: unknown;
}

/** An in-process server with the worker routes of jobgate. */
export interface FakeService {
  readonly url: string;
  readonly reports: readonly Report[];
  /** Adds a job to a queue, for the next claim. */
  add(
    queue: string,
    job: Partial<Job>,
    children?: readonly unknown[],
    steps?: Readonly<Record<string, unknown>>,
  ): void;
  /** Answers all further reports with a status, such as 401 for a lost lock. */
  answerReports(status: number): void;
  close(): Promise<void>;
}

export async function fakeService(): Promise<FakeService> {
  const reports: Report[] = [];
  const waiting: {
    queue: string;
    job: Partial<Job>;
    children: readonly unknown[];
    steps?: object;
  }[] = [];
  let status = 200;
  let count = 0;

  const claim = (queue: string, limit: number): unknown[] => {
    const claimed: unknown[] = [];
    for (let index = 0; index < waiting.length && claimed.length < limit;) {
      const [next] = waiting[index]?.queue === queue ? waiting.splice(index, 1) : [];
      if (next === undefined) index += 1;
      else {
        const { job, children, steps } = next;
        claimed.push({ job, token: `token-${job.id}`, children, steps });
      }
    }
    return claimed;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? undefined : (JSON.parse(text) as unknown);
    const [, , queue = '', , id = '', ...rest] = (request.url ?? '')
      .split('/')
      .map(decodeURIComponent);
    const verb = rest.join('/');
    const send = (code: number, value: unknown): void => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (id === 'claim') {
      const { count: limit = 1, wait = 0 } = (body ?? {}) as { count?: number; wait?: number };
      const end = Date.now() + wait;
      let claimed = claim(queue, limit);
      while (claimed.length === 0 && Date.now() < end && !response.destroyed) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        claimed = claim(queue, limit);
      }
      send(200, claimed);
      return;
    }
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (verb !== 'children') reports.push({ queue, id, token, verb, body });
    if (status !== 200) send(status, { status, detail: 'Unauthorized' });
    else if (verb === 'children') send(200, []);
    else if (verb === 'extend') send(200, { until: Date.now() + (body as { lock: number }).lock });
    else send(request.method === 'PUT' ? 201 : 200, 'OK');
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    reports,
    add: (queue, job, children = [], steps) => {
      count += 1;
      const whole = { id: String(count), name: 'test', data: null, attemptsMade: 0 };
      const opts = { attempts: 0, delay: 0 };
      waiting.push({ queue, job: { ...whole, opts, ...job }, children, ...(steps && { steps }) });
    },
    answerReports: (code) => {
      status = code;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
