import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/**
 * The texts of the SQL files in this folder by their names. The build replaces this module by one that holds them
 * (scripts/sql-files.js).
 */
export function sqlFiles(): Readonly<Record<string, string>> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(FOLDER + name, 'utf8')]));
}
