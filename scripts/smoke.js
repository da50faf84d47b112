// `npm run smoke`: starts the built service on the embedded store, as a user does, has one job delivered
// to an endpoint, and stops it again. It ends with an error when any of that fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import process from 'node:process';

const TIMEOUT = 30_000;
const timer = setTimeout(() => {
  throw new Error(`The built service did not do its work within ${TIMEOUT} ms`);
}, TIMEOUT);

const endpoint = createServer((request, response) => {
  request.resume().on('end', () => response.end('delivered'));
});
endpoint.listen(0, '127.0.0.1');
await once(endpoint, 'listening');

const service = spawn(process.execPath, ['dist/infrastructure/main.js'], {
  env: { ...process.env, STORE: 'memory', PORT: '0', AUTH_TOKENS: 'smoke', LOG_FORMAT: 'json' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(service, 'exit');
const [line] = await once(createInterface({ input: service.stdout }), 'line');
const base = `http://127.0.0.1:${JSON.parse(line).port}`;

async function call(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: 'Bearer smoke' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return response.headers.get('content-type').includes('json') ? response.json() : response.text();
}

const url = `http://127.0.0.1:${endpoint.address().port}/`;
await call('POST', '/workers', { queue: 'smoke', endpoint: { url, method: 'post' } });
await call('POST', '/queues/smoke/jobs', [{ name: 'hello', data: {} }]);
let job;
do job = await call('GET', '/queues/smoke/jobs/1');
while (job.finishedOn === undefined);
if (job.returnvalue !== 'delivered') throw new Error(`The job ended with ${JSON.stringify(job)}`);

service.kill('SIGTERM');
const [code] = await exited;
if (code !== 0) throw new Error(`The service ended with ${code}`);
endpoint.close();
endpoint.closeAllConnections();
clearTimeout(timer);
process.stdout.write('The built service starts, delivers a job and stops\n');
