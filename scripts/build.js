// `npm run build`: the service as dist/main.js and a few chunks, with all that it uses of its packages, so
// that it needs no node_modules and takes less time and memory to start (docs/adr/0014).
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'dist');

/** What CommonJS packages expect to find around them, which an ES module does not have. */
const COMMONJS = `import { createRequire as createRequireOfChunk } from 'node:module';
const require = createRequireOfChunk(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;`;

rmSync(OUTPUT, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/infrastructure/main.ts'],
  outdir: OUTPUT,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  // What the configuration did not choose stays in chunks that are never loaded.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  banner: { js: COMMONJS },
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(OUTPUT, 'LICENSES.txt'), licenses(Object.keys(metafile.inputs)));

/** The licenses of the packages that the files are from: whoever hands the bundle on has to hand on them. */
function licenses(inputs) {
  const folders = inputs.flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [],
  );
  return [...new Set(folders)]
    .sort()
    .map((folder) => license(join(ROOT, folder)))
    .join('\n');
}

function license(folder) {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license: kind } = JSON.parse(manifest);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${kind})\n\n${text}\n\n${'-'.repeat(80)}\n`;
}
