import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type OutputFile } from 'esbuild';

/** Within node_modules, where the thread finds its packages. */
const CACHE = new URL('../../../../../node_modules/.cache/jobgate/', import.meta.url);

/** The thread, and the drivers that it may be asked for by name. */
const MODULES = ['record-thread.ts', 'wasm-database.ts', 'node-database.ts'];

let url: URL | undefined;

/**
 * The module of the thread, when the service runs from its sources: bundled, since a thread that has to read TypeScript
 * takes ten times as long to start. The drivers are beside it. The build replaces this module (scripts/thread-files.js).
 */
export function recordThreadUrl(): URL {
  url ??= new URL('record-thread.js', folderOf(bundle()));
  return url;
}

function bundle(): readonly OutputFile[] {
  const { outputFiles } = buildSync({
    entryPoints: MODULES.map((name) => fileURLToPath(new URL(name, import.meta.url))),
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    outdir: fileURLToPath(CACHE),
    write: false,
  });
  return outputFiles;
}

/** Other processes may write the same folder meanwhile, or read it. */
function folderOf(files: readonly OutputFile[]): URL {
  const hash = createHash('sha256');
  for (const { contents } of files) hash.update(contents);
  const name = hash.digest('hex').slice(0, 16);
  const folder = new URL(`${name}/`, CACHE);
  if (existsSync(folder)) return folder;
  const written = new URL(`${name}-${process.pid}/`, CACHE);
  mkdirSync(written, { recursive: true });
  // The nearest package says that these files are modules.
  writeFileSync(new URL('package.json', written), '{"type":"module"}');
  for (const { path, contents } of files) writeFileSync(new URL(basename(path), written), contents);
  try {
    renameSync(written, folder);
  } catch {
    rmSync(written, { recursive: true });
  }
  return folder;
}
