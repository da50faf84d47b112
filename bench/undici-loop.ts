import { createServer, type AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { WebhookRequests } from '../src/adapters/outbound/webhook/webhook-request.ts';
import type { Job } from '../src/domain/jobs/job.ts';
import { SystemClock } from '../src/infrastructure/system-clock.ts';
import { queueNamed } from '../test/support/queue-named.ts';

/*
 * The least that it takes to call the endpoint: undici and the same bytes again and again, without any
 * queue. A connection to its port makes it send all calls once; then it closes the connection.
 */
const { ENDPOINT = '', CALLS = '', CONCURRENCY = '' } = process.env;
const calls = Number(CALLS);
const concurrency = Number(CONCURRENCY);

const job: Job = {
  queue: queueNamed('bench'),
  state: 'active',
  id: '4711',
  name: 'mail',
  data: { to: 'someone@example.com', template: 'welcome', order: 4711 },
  opts: { attempts: 0, delay: 0 },
  progress: 0,
  returnvalue: null,
  stacktrace: null,
  attemptsStarted: 1,
  attemptsMade: 0,
  delay: 0,
  timestamp: Date.now(),
  processedOn: Date.now(),
};
const requests = new WebhookRequests({
  defaultTimeout: 60_000,
  userAgent: 'jobgate',
  queuePrefix: 'bull',
  clock: new SystemClock(),
});
const token = '6ad3e1c1-5a0c-4d3c-9d4b-1f6e6f8d2c11';
const { target, headers, body } = requests.of({
  endpoint: { url: ENDPOINT, method: 'post' },
  job,
  token,
});
const { path } = target;
const pool = new Pool(target.origin, { connections: concurrency });

function call(): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseEnd: () => {
          if (status === 200) resolve();
          else reject(new Error(`The endpoint answered ${status}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

async function callAll(): Promise<void> {
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

const control = createServer((socket) => {
  void callAll().then(() => socket.end());
});
control.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (control.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));
