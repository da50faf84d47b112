import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createWorker } from 'jobgate-client';
import { report } from './report.js';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
  },
});

const worker = createWorker({
  secret: false, // Only programs on this machine can call it.
  url: process.env.JOBGATE_URL ?? 'http://127.0.0.1:8080',
  otherwise: (job) => report(timeOf(job), job.data.tz),
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

/**
 * When the job was due (epoch ms). It may start later than that, and again after midnight: the report is on the same
 * day each time. A job that somebody asked for is on the day before it was added.
 */
function timeOf({ id, timestamp }) {
  const [, slot] = /^repeat:.+:(\d+)$/.exec(id) ?? [];
  return slot === undefined ? timestamp : Number(slot);
}
