// The SQL files of the PostgreSQL store for the build, in place of the module that reads them from the disk.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'src/adapters/outbound/postgres/schema';

/** A plugin of esbuild. @param root the folder of the project. */
export function sqlFiles(root) {
  return {
    name: 'sql-files',
    setup(build) {
      build.onLoad({ filter: /[\\/]sql-files\.ts$/ }, () => ({
        contents: `const FILES = ${JSON.stringify(texts(join(root, FOLDER)))};\nexport const sqlFiles = () => FILES;\n`,
      }));
    },
  };
}

function texts(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
