import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { report } from './report.js';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
  },
});

const server = createServer((request, response) => {
  answer(request).then(
    (returnvalue) => send(response, 200, returnvalue),
    (error) => send(response, 500, { message: error.message }),
  );
});

server.listen(Number(values.port), values.host, () => {
  console.log(`Listening on http://${values.host}:${server.address().port}`);
});

// Running calls finish; with the last one gone the process ends by itself.
process.once('SIGTERM', () => server.close());

async function answer(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { job } = JSON.parse(Buffer.concat(pieces).toString());
  return report(timeOf(job), job.data.tz);
}

/**
 * When the job was due (epoch ms). It may start later than that, and again after midnight: the report is on the same
 * day each time. A job that somebody asked for is on the day before it was added.
 */
function timeOf({ id, timestamp }) {
  const [, slot] = /^repeat:.+:(\d+)$/.exec(id) ?? [];
  return slot === undefined ? timestamp : Number(slot);
}

function send(response, status, body) {
  // A kept connection would hold up the end of a process that was asked to end.
  if (!server.listening) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
