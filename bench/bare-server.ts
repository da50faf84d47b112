import { queueNamed } from '../test/support/queue-named.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newJob, type JobInput } from '../src/domain/jobs/job.ts';
import { redisReplica, TestConnections } from '../test/support/redis/redis-stores.ts';

/*
 * The least that can stand between HTTP and the store: node:http, no checks, the same store call. What
 * the service costs beyond this is its own doing.
 */
const connections = await TestConnections.open(process.env['STORE_URI'] ?? '');
const { queues } = redisReplica(connections);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const inputs = JSON.parse(Buffer.concat(chunks).toString()) as JobInput[];
    const jobs = inputs.map((input) => newJob(input, ''));
    queues.add(queueNamed('bench'), jobs).then(
      (added) => {
        const body = JSON.stringify(added);
        response
          .writeHead(200, {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          })
          .end(body);
      },
      () => response.writeHead(503).end(),
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));
