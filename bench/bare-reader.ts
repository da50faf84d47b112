import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * The least that can answer a read: node:http and as many bytes of JSON as the path asks for, such as
 * /400, from no store at all.
 */
const bodies = new Map<string, Buffer>();

function bodyOf(path: string): Buffer {
  const known = bodies.get(path);
  if (known !== undefined) return known;
  const body = Buffer.from(JSON.stringify('x'.repeat(Number(path.slice(1)) - 2)));
  bodies.set(path, body);
  return body;
}

const server = createServer((request, response) => {
  const body = bodyOf(request.url ?? '');
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
    .end(body);
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.on('SIGTERM', () => process.exit(0));
