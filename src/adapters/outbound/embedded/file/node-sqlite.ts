import process from 'node:process';
import type { NodeSqlite } from 'node:sqlite';

/**
 * The SQLite of Node.js, or undefined where Node.js has none without a flag. Some versions warn that it is experimental
 * when it is loaded, which says nothing to operators.
 */
export function nodeSqlite(): NodeSqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    const load: (name: string) => unknown = (name) => process.getBuiltinModule(name);
    return load('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
