// `npm run build`: the service as dist/main.js and a few chunks, with all that it uses of its packages, so
// that it needs no node_modules and takes less time and memory to start (docs/adr/0014).
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';
import { dashboardFiles, dashboardIncluded } from './dashboard-files.js';
import { luaFiles } from './lua-files.js';
import { nodeBundle } from './node-bundle.js';
import { sqlFiles } from './sql-files.js';
import { threadEntries, threadUrls, wasmFile } from './thread-files.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'dist');
/** What `npm run release` and `npm run site` write there. */
const BUILT_ELSEWHERE = ['release', 'site'];

const dashboard = await dashboardFiles(ROOT);
const program = nodeBundle(ROOT);
const { metafile, outputFiles } = await build({
  ...program,
  entryPoints: { main: 'src/infrastructure/main.ts', ...threadEntries },
  outdir: OUTPUT,
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [
    ...program.plugins,
    luaFiles(ROOT),
    sqlFiles(ROOT),
    dashboardIncluded(dashboard),
    threadUrls,
  ],
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  write: false,
});

mkdirSync(OUTPUT, { recursive: true });
for (const name of readdirSync(OUTPUT)) {
  if (!BUILT_ELSEWHERE.includes(name)) rmSync(join(OUTPUT, name), { recursive: true });
}
mkdirSync(join(OUTPUT, 'chunks'), { recursive: true });
for (const { path, text } of outputFiles) writeFileSync(path, inAscii(text));
const { name, bytes } = wasmFile(ROOT);
writeFileSync(join(OUTPUT, name), bytes);
chmodSync(join(OUTPUT, 'main.js'), 0o755);
const bundled = bundledPackages([...Object.keys(metafile.inputs), ...dashboard.inputs]);
writeFileSync(join(OUTPUT, 'LICENSES.txt'), bundled.map(license).join('\n'));
writeFileSync(
  join(OUTPUT, 'bom.cdx.json'),
  `${JSON.stringify(billOfMaterials(bundled), null, 2)}\n`,
);

// The client package, which the examples stand on.
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'clients/typescript/tsconfig.build.json')], {
  stdio: 'inherit',
});

/**
 * V8 keeps a source of which any character is beyond Latin-1 with two bytes for each. Those that esbuild
 * leaves stand in comments and regular expressions, where an escape means the same.
 */
function inAscii(text) {
  return text.replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The folders of the packages that the files are from. */
function bundledPackages(inputs) {
  const folders = inputs.flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [],
  );
  return [...new Set(folders)].sort().map((folder) => join(ROOT, folder));
}

/** What is in the bundle as scanners read it (CycloneDX): they find no packages in it by themselves. */
function billOfMaterials(folders) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', ...ownNames(), licenses: [{ expression: 'MIT' }] },
    },
    components: folders.map((folder) => {
      const { name, version, license: id } = manifestOf(folder);
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      return {
        type: 'library',
        'bom-ref': `${purl}#${relative(ROOT, folder)}`,
        name,
        version,
        purl,
        licenses: [{ expression: id }],
      };
    }),
  };
}

function ownNames() {
  const { name, version } = manifestOf(ROOT);
  const purl = `pkg:npm/${name}@${version}`;
  return { 'bom-ref': purl, name, version, purl };
}

/** The license of a package, which has to be handed on with the bundle. */
function license(folder) {
  const { name, version, license: kind } = manifestOf(folder);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${kind})\n\n${text}\n\n${'-'.repeat(80)}\n`;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
