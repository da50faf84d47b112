// `npm run demo`: what it does is loaded where Node.js can load it.
import { unsupportedNode } from '../src/infrastructure/lifecycle/supported-node.ts';

const USAGE = `Usage: npm run demo

Starts a service on its embedded store with endpoints and jobs to watch, until Ctrl-C.

Environment variables:
  PORT        where it listens (8080, or a free port when that is taken)
  STORE_PATH  the folder that keeps its jobs (./jobgate-demo)
`;

const unsupported = unsupportedNode(process.versions.node);
const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') {
  process.stdout.write(USAGE);
} else if (argument !== undefined) {
  process.stderr.write(`The demo takes no ${argument}\n\n${USAGE}`);
  process.exitCode = 2;
} else if (unsupported === undefined) {
  await import('./demo/run.ts');
} else {
  process.stderr.write(`${unsupported}\n`);
  process.exitCode = 1;
}
