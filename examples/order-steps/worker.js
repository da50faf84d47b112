import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { next } from './order.js';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
  },
});

/** Answers a call with the next step. An error fails the attempt, and the saved steps stay. */
async function answer(request) {
  try {
    const { job, steps = {} } = await json(request);
    return await next(job, steps);
  } catch (error) {
    return [500, { message: String(error) }];
  }
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request);
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(values.port), values.host, () => {
  console.log(`Listening on http://${values.host}:${server.address().port}`);
});

process.once('SIGTERM', () => {
  // Running calls finish; with the last one gone the process ends by itself.
  server.close();
  setInterval(() => server.closeIdleConnections(), 50).unref();
});
