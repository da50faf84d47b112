import { nodeSqlite } from '../../../src/adapters/outbound/embedded/file/node-sqlite.ts';

export interface TestedDriver {
  readonly name: string;
  readonly driver: URL;
}

const FOLDER = '../../../src/adapters/outbound/embedded/file/';

function driverIn(name: string, module: string): TestedDriver {
  return { name, driver: new URL(`${FOLDER}${module}`, import.meta.url) };
}

/** The drivers that this version of Node.js can run. */
export const DRIVERS: readonly TestedDriver[] = [
  driverIn('WebAssembly', 'wasm-database.ts'),
  ...(nodeSqlite() === undefined ? [] : [driverIn('node:sqlite', 'node-database.ts')]),
];
