import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { NotSigned, verifyCall } from './call-signature.js';
import { BadJob, checksum, fileNames, folderBelow } from './checksums.js';
import { JobReporter } from './job-reporter.js';

const MAX_BODY_SIZE = 16 * 1024 * 1024;

const { base, host, port } = commandLine();
const jobgateUrl = process.env.JOBGATE_URL ?? 'http://127.0.0.1:8080';
const secret = process.env.JOBGATE_SECRET;

const server = createServer((request, response) => {
  // The connection closes early when jobgate gives the call up, say at its timeout: stop then.
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  answer(request, abort.signal).then(
    ({ status, body }) => send(response, status, body),
    (error) => send(response, statusOf(error), { message: error.message }),
  );
});

server.listen(port, host, () => {
  const address = server.address();
  console.log(`Listening on http://${host}:${address.port}`);
});

// Running calls finish; with the last one gone the process ends by itself.
process.once('SIGTERM', () => server.close());

async function answer(request, signal) {
  if (request.method !== 'POST') return { status: 405, body: { message: 'Call me with POST' } };
  const call = await readCall(request);
  const reporter = new JobReporter(jobgateUrl, call, signal);
  const folder = await folderBelow(base, call.job.data?.folder);
  const names = await fileNames(folder);
  const files = [];
  for (const name of names) {
    const file = await checksum(folder, name, signal);
    files.push(file);
    await reporter.log(`${name}: ${file.size} bytes, sha256 ${file.sha256}`);
    await reporter.progress({ done: files.length, total: names.length });
  }
  return { status: 200, body: { files } };
}

async function readCall(request) {
  const pieces = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > MAX_BODY_SIZE) throw new BadJob('The call is too large');
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  if (secret !== undefined) verifyCall(secret, request.headers, body);
  try {
    const call = JSON.parse(body.toString());
    const isCall =
      typeof call?.job?.id === 'string' &&
      typeof call.job.queueQualifiedName === 'string' &&
      typeof call.token === 'string';
    if (isCall) return call;
  } catch {
    // Answered like any other body that is no call.
  }
  throw new BadJob('The body must be a call of jobgate: {"job": {...}, "token": "..."}');
}

function statusOf(error) {
  if (error instanceof NotSigned) return 401;
  return error instanceof BadJob ? 422 : 500;
}

function send(response, status, body) {
  if (response.destroyed) return;
  // A kept connection would hold up the end of a process that was asked to end.
  if (!server.listening) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function commandLine() {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '3000' },
    },
  });
  if (values.base === undefined) {
    console.error('Usage: node worker.js --base <folder> [--host 127.0.0.1] [--port 3000]');
    process.exit(1);
  }
  return { base: values.base, host: values.host, port: Number(values.port) };
}
