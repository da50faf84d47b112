import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Queue, Worker } from 'bullmq';
import { Pool } from 'undici';

/*
 * A team's own program around BullMQ: it adds the jobs that it is sent and calls the endpoint from a
 * worker in the same process.
 */
const { STORE_URI: url = '', ENDPOINT = '' } = process.env;
const connection = { url };
const queue = new Queue('native', { connection });
const pool = new Pool(new URL(ENDPOINT).origin, { connections: 100 });
const worker = new Worker(
  'native',
  async (job, token) => {
    const { body } = await pool.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ job, token }),
    });
    return body.text();
  },
  { connection, concurrency: 100 },
);
await worker.waitUntilReady();

const server = createServer((request, response) => {
  void text(request).then(async (body) => {
    const jobs = JSON.parse(body) as { name: string; data: unknown }[];
    for (const { name, data } of jobs) await queue.add(name, data);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));
