import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createWorker } from 'jobgate-client';
import { checksum, fileNames, folderBelow } from './checksums.js';

const { base, host, port, unsigned } = commandLine();

const worker = createWorker({
  url: process.env.JOBGATE_URL ?? 'http://127.0.0.1:8080',
  secret: unsigned ? false : process.env.JOBGATE_SECRET,
  otherwise: async ({ data }, context) => {
    const folder = await folderBelow(base, data?.folder);
    const names = await fileNames(folder);
    const files = [];
    for (const name of names) {
      // The signal ends when jobgate gives the call up, say at its timeout.
      const file = await checksum(folder, name, context.signal);
      files.push(file);
      await context.log(`${name}: ${file.size} bytes, sha256 ${file.sha256}`);
      await context.progress({ done: files.length, total: names.length });
    }
    return { files };
  },
});

const server = createServer((request, response) => worker.node(request, response));
server.listen(port, host, () => {
  console.log(`Listening on http://${host}:${server.address().port}`);
});

process.once('SIGTERM', () => {
  // Running calls finish; with the last one gone the process ends by itself.
  server.close();
  setInterval(() => server.closeIdleConnections(), 50).unref();
});

function commandLine() {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '3000' },
      unsigned: { type: 'boolean', default: false },
    },
  });
  if (values.base === undefined) {
    console.error(
      'Usage: node worker.js --base <folder> [--host 127.0.0.1] [--port 3000] [--unsigned]',
    );
    process.exit(1);
  }
  return { ...values, port: Number(values.port) };
}
