import type { Database, DatabaseDriver } from './database.ts';
import { nodeSqlite } from './node-sqlite.ts';

/** A database of the SQLite that Node.js has, or else of the one in WebAssembly; both read and write the same files. */
export async function openDatabase(path: string): Promise<Database> {
  const driver: DatabaseDriver =
    nodeSqlite() === undefined
      ? await import('./wasm-database.ts')
      : await import('./node-database.ts');
  return driver.openDatabase(path);
}
