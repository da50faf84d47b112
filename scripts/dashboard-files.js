// The dashboard as browsers load it, made from src/dashboard: by the build, which puts it into the service, and by a
// service that runs from its sources.
import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { basename } from 'node:path';

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

/**
 * @param root the folder of the project.
 * @returns the names of the script that the page begins with, of the chunks that it needs at once and of the stylesheet;
 * all files by name, with their bytes packed by gzip; and what they were made from.
 */
export async function dashboardFiles(root) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { dashboard: 'src/dashboard/main.tsx' },
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const files = {};
  for (const { path, contents } of outputFiles) {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    files[basename(path)] = { type, packed: gzipSync(contents, { level: 9 }).toString('base64') };
  }
  const isEntry = ([, { entryPoint }]) => entryPoint === 'src/dashboard/main.tsx';
  const [script, { cssBundle, imports }] = Object.entries(metafile.outputs).find(isEntry);
  return {
    script: basename(script),
    chunks: imports
      .filter(({ kind }) => kind === 'import-statement')
      .map((each) => basename(each.path)),
    style: basename(cssBundle),
    files,
    inputs: Object.keys(metafile.inputs),
  };
}

/** A plugin of esbuild for the service: the files in place of the module that makes them. */
export function dashboardIncluded({ script, chunks, style, files }) {
  const made = JSON.stringify({ script, chunks, style, files });
  return {
    name: 'dashboard-files',
    setup(service) {
      service.onLoad({ filter: /[\\/]site[\\/]dashboard[\\/]dashboard-files\.ts$/ }, () => ({
        contents: `const MADE = ${made};\nexport const dashboardFiles = () => Promise.resolve(MADE);\n`,
      }));
    },
  };
}
