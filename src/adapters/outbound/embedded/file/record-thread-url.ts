import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Within node_modules, where the thread finds its packages. */
const FOLDER = new URL('../../../../../node_modules/.cache/jobgate/', import.meta.url);

let url: URL | undefined;

/**
 * The module of the thread, when the service runs from its sources: in one file, since a thread that has to read
 * TypeScript starts in ten times the time. The build replaces this module (scripts/thread-files.js).
 */
export function recordThreadUrl(): URL {
  url ??= fileOf(bundle());
  return url;
}

function bundle(): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('record-thread.ts', import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Other processes may write or read the same file meanwhile. */
function fileOf(text: string): URL {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = new URL(`record-thread-${name}.mjs`, FOLDER);
  if (existsSync(file)) return file;
  mkdirSync(FOLDER, { recursive: true });
  const written = new URL(`${file.href}.${process.pid}`);
  writeFileSync(written, text);
  renameSync(written, file);
  return file;
}
