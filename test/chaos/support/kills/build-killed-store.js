// Builds the store that is killed (killed-store.ts) into a folder, with its thread, so that it starts as quickly as what
// users run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';
import { nodeBundle } from '../../../../scripts/node-bundle.js';
import { threadEntries, threadUrls, wasmFile } from '../../../../scripts/thread-files.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const [output] = process.argv.slice(2);

const program = nodeBundle(ROOT);
await build({
  ...program,
  entryPoints: { 'killed-store': 'test/chaos/support/kills/killed-store.ts', ...threadEntries },
  outdir: output,
  plugins: [...program.plugins, threadUrls],
});
const { name, bytes } = wasmFile(ROOT);
writeFileSync(join(output, name), bytes);
writeFileSync(join(output, 'package.json'), '{ "type": "module" }');
