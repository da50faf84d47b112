import { nodeSqlite } from '../../../src/adapters/outbound/embedded/file/node-sqlite.ts';
import { openDatabase } from '../../../src/adapters/outbound/embedded/file/wasm-database.ts';

/**
 * V8 compiles a function of WebAssembly when it is first called, and forgets it with the last thread that has the module.
 * This one keeps the module, so that each of the hundreds of threads that tests start finds it compiled.
 */
if (nodeSqlite() === undefined) (await openDatabase(':memory:')).close();
