// `npm run demo`: what it does is loaded where Node.js can load it.
import { unsupportedNode } from '../src/infrastructure/lifecycle/supported-node.ts';

const unsupported = unsupportedNode(process.versions.node);
if (unsupported === undefined) {
  await import('./demo/run.ts');
} else {
  process.stderr.write(`${unsupported}\n`);
  process.exitCode = 1;
}
