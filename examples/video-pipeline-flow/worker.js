import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createWorker } from 'jobgate-client';
import { steps } from './steps.js';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
  },
});

const handlers = Object.fromEntries(
  Object.entries(steps).map(([name, step]) => [
    name,
    async (job, context) => step(job.data, await context.children()),
  ]),
);
const worker = createWorker({
  secret: false, // Only programs on this machine can call it.
  url: process.env.JOBGATE_URL ?? 'http://127.0.0.1:8080',
  handlers,
});

const server = createServer((request, response) => worker.node(request, response));
server.listen(Number(values.port), values.host, () => {
  console.log(`Listening on http://${values.host}:${server.address().port}`);
});

process.once('SIGTERM', () => {
  // Running calls finish; with the last one gone the process ends by itself.
  server.close();
  setInterval(() => server.closeIdleConnections(), 50).unref();
});
