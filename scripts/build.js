// `npm run build`: the service as dist/main.js and a few chunks, with all that it uses of its packages, so
// that it needs no node_modules and takes less time and memory to start (docs/adr/0014).
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'dist');

/** What CommonJS packages expect to find around them, which an ES module does not have. */
const COMMONJS = `import { createRequire as createRequireOfChunk } from 'node:module';
const require = createRequireOfChunk(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;`;

const { metafile, outputFiles } = await build({
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
  alias: {
    // The same scripts as modules, of which those that nobody uses are left out.
    'bullmq/dist/cjs/scripts/index.js': 'bullmq/dist/esm/scripts/index.js',
  },
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  write: false,
  logLevel: 'warning',
});

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(join(OUTPUT, 'chunks'), { recursive: true });
for (const { path, text } of outputFiles) writeFileSync(path, inAscii(text));
chmodSync(join(OUTPUT, 'main.js'), 0o755);
writeFileSync(join(OUTPUT, 'LICENSES.txt'), licenses(Object.keys(metafile.inputs)));

/**
 * V8 keeps a source of which any character is beyond Latin-1 with two bytes for each. Those that esbuild
 * leaves stand in comments and regular expressions, where an escape means the same.
 */
function inAscii(text) {
  return text.replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The licenses of the packages that the files are from: they have to be handed on with the bundle. */
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
