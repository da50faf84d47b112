import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FOLDERS } from './program-folders.js';

/** What the built service is made of. */
const SOURCES = [
  ...PROGRAM_FOLDERS,
  'clients/typescript/src',
  'scripts',
  'package.json',
  'package-lock.json',
];

/** Whether a checkout has a built service that is newer than each of its sources. */
export function isBuilt(root) {
  const built = join(root, 'dist/main.js');
  return existsSync(built) && statSync(built).mtimeMs > lastChange(root);
}

/** When a source changed for the last time, in epoch ms. A folder changes as a file in it comes or goes. */
function lastChange(root) {
  return Math.max(...SOURCES.map((source) => lastChangeIn(join(root, source))));
}

function lastChangeIn(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const changes = readdirSync(path).map((name) => lastChangeIn(join(path, name)));
  return Math.max(stats.mtimeMs, ...changes);
}
