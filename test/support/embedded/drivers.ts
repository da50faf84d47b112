import { nodeSqlite } from '../../../src/adapters/outbound/embedded/file/node-sqlite.ts';
import { recordThreadUrl } from '../../../src/adapters/outbound/embedded/file/record-thread-url.ts';

export interface TestedDriver {
  readonly name: string;
  readonly driver: URL;
  /** The same, for the thread of a store. */
  readonly ofThread: URL;
}

const FOLDER = '../../../src/adapters/outbound/embedded/file/';

function driverIn(name: string, module: string): TestedDriver {
  return {
    name,
    driver: new URL(`${FOLDER}${module}.ts`, import.meta.url),
    ofThread: new URL(`${module}.js`, recordThreadUrl()),
  };
}

/** The drivers that this version of Node.js can run. */
export const DRIVERS: readonly TestedDriver[] = [
  driverIn('WebAssembly', 'wasm-database'),
  ...(nodeSqlite() === undefined ? [] : [driverIn('node:sqlite', 'node-database')]),
];
