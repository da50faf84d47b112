import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isProgram, programOnPath } from '../program-on-path.ts';
import { installPostgresPackage } from './postgres-package.ts';

/** Where Debian and its kin keep the programs of each version, which are not on the PATH. */
const VERSIONS = '/usr/lib/postgresql';

/**
 * The folder of the server's programs, `postgres` and `initdb`: that of `postgres` on the PATH, else that of the latest
 * version that Debian has installed.
 */
export async function findPostgresPrograms(): Promise<string | undefined> {
  const onPath = await programOnPath(['postgres']);
  const versions = await readdir(VERSIONS).catch(() => []);
  const latest = versions
    .filter((version) => /^\d+$/.test(version))
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(VERSIONS, version, 'bin'));
  const folders = onPath === undefined ? latest : [dirname(await realpath(onPath)), ...latest];
  for (const folder of folders) {
    if ((await isProgram(join(folder, 'postgres'))) && (await isProgram(join(folder, 'initdb')))) {
      return folder;
    }
  }
  return undefined;
}

/** The same, installed first where possible. @throws Error that says what to do. */
export async function requirePostgresPrograms(): Promise<string> {
  const known = await findPostgresPrograms();
  if (known !== undefined) return known;
  const installed = (await installPostgresPackage()) ? await findPostgresPrograms() : undefined;
  if (installed !== undefined) return installed;
  throw new Error(
    'No PostgreSQL server program for the tests: put postgres and initdb on the PATH',
  );
}
