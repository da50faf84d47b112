import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { monotonicTime } from './monotonic-time.ts';

/*
 * An endpoint that knows how old each job was when its call arrived: the data of a job says when it was
 * sent. A GET answers the ages since the GET before, in milliseconds.
 */
let ages: number[] = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(ages));
    ages = [];
    return;
  }
  const arrived = monotonicTime();
  void text(request).then((body) => {
    const { job } = JSON.parse(body) as { job: { data: { sent: number } } };
    ages.push(arrived - job.data.sent);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));
