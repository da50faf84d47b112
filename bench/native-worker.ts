import { createServer, type AddressInfo } from 'node:net';
import { Worker } from 'bullmq';
import { Pool } from 'undici';

/*
 * What a team writes that calls its endpoint from a BullMQ worker of its own. It runs while a connection
 * to its port is open, so that it can be started and stopped from outside.
 */
const { STORE_URI: url = '', ENDPOINT = '', CONCURRENCY = '100', QUEUE = 'bench' } = process.env;
const pool = new Pool(new URL(ENDPOINT).origin, { connections: Number(CONCURRENCY) });

function startWorker(): Worker {
  return new Worker(
    QUEUE,
    async (job, token) => {
      const { statusCode, body } = await pool.request({
        path: '/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ job, token }),
      });
      const answer = await body.json();
      if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
      return answer;
    },
    { connection: { url }, concurrency: Number(CONCURRENCY) },
  );
}

const control = createServer((socket) => {
  const worker = startWorker();
  worker.on('error', () => undefined);
  socket.on('error', () => undefined);
  socket.on('close', () => void worker.close());
});
control.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (control.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));
