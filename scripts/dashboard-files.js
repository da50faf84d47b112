// The dashboard as browsers load it, made from clients/dashboard: by the build, which puts it into the service, and by a
// service that runs from its sources.
import { build } from 'esbuild';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { basename, dirname, join } from 'node:path';

const MAIN = 'clients/dashboard/main.tsx';
const STYLE = 'clients/dashboard/style.css';
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

/**
 * @param root the folder of the project.
 * @returns the names of the script and of the stylesheet that the page begins with; all files by name, with their bytes
 * packed by gzip and by Brotli; and what they were made from.
 */
export async function dashboardFiles(root) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { dashboard: MAIN, style: STYLE },
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
    plugins: [besideMain(join(root, MAIN))],
  });
  const outputOf = (source) =>
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source);
  const [, { imports }] = outputOf(MAIN);
  const [{ path: script }, ...others] = imports.filter(({ kind }) => kind === 'import-statement');
  if (others.length > 0) throw new Error('The page would begin with more than one script');
  const files = {};
  for (const { path, contents } of outputFiles) {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    files[basename(path)] = {
      type,
      gzip: gzipSync(contents, { level: 9 }).toString('base64'),
      brotli: brotliCompressSync(contents).toString('base64'),
    };
  }
  return {
    script: basename(script),
    style: basename(outputOf(STYLE)[0]),
    files,
    inputs: Object.keys(metafile.inputs),
  };
}

/**
 * A plugin of esbuild: what is loaded later is loaded beside all that the page began with. So all of that is in one
 * chunk, which is the one script that the page has to load first: what the entry has beyond that chunk is its import.
 */
function besideMain(main) {
  return {
    name: 'beside-main',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir, namespace }) => {
        if (kind !== 'dynamic-import' || namespace !== 'file') return undefined;
        const options = { kind: 'import-statement', importer, resolveDir };
        return { path: (await resolve(path, options)).path, namespace: 'later' };
      });
      onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
        contents: `import ${JSON.stringify(main)};\nexport * from ${JSON.stringify(path)};\n`,
        resolveDir: dirname(path),
      }));
    },
  };
}

/** A plugin of esbuild for the service: the files in place of the module that makes them. */
export function dashboardIncluded({ script, style, files }) {
  const made = JSON.stringify({ script, style, files });
  return {
    name: 'dashboard-files',
    setup(service) {
      service.onLoad({ filter: /[\\/]site[\\/]dashboard[\\/]dashboard-files\.ts$/ }, () => ({
        contents: `const MADE = ${made};\nexport const dashboardFiles = () => Promise.resolve(MADE);\n`,
      }));
    },
  };
}
