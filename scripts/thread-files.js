// The thread of the embedded store for the build: its module is a file of its own in dist/chunks, beside the WebAssembly
// that it may load.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const NAME = 'record-thread';
const FOLDER = 'src/adapters/outbound/embedded/file';

/** Names the entry for esbuild, by its output. */
export const threadEntries = { [`chunks/${NAME}`]: `${FOLDER}/${NAME}.ts` };

/** A plugin of esbuild: where the service finds the thread, from any file of the build. */
export const threadUrls = {
  name: 'thread-files',
  setup(build) {
    build.onLoad({ filter: /[\\/]record-thread-url\.ts$/ }, () => ({
      contents: `
        const folder = import.meta.url.includes('/chunks/') ? './' : './chunks/';
        export const recordThreadUrl = () => new URL(folder + '${NAME}.js', import.meta.url);`,
    }));
  },
};

/** The WebAssembly of SQLite, which its module reads from the folder that it is in. @param root of the project. */
export function wasmFile(root) {
  const name = 'node-sqlite3-wasm.wasm';
  const module = createRequire(join(root, 'package.json')).resolve('node-sqlite3-wasm');
  return { name: `chunks/${name}`, bytes: readFileSync(join(module, '..', name)) };
}
