import { dropSchemas } from './drop-schemas.ts';
import { installPostgresPackage } from './postgres-package.ts';
import { findPostgresPrograms } from './postgres-programs.ts';
import { startPostgresContainer } from './postgres-container.ts';
import { makeTemplate, PostgresServer, removeTemplate } from './postgres-server.ts';
import { guardAgainstOrphan } from '../orphan-guard.ts';
import type { FoundServer } from '../server-session.ts';

/**
 * The server that TEST_PG_URI names, else a process of the programs of this machine, else a container, else a process
 * of the package, which is then installed. A missing server fails the run instead of skipping tests, so that coverage
 * cannot vanish unseen.
 *
 * @param run how the names of the schemas of the run begin.
 * @throws Error that says what to do when there is none.
 */
export async function findPostgres(run: string): Promise<FoundServer> {
  const server =
    fromEnvironment(run) ??
    (await ownProcess()) ??
    (await startPostgresContainer()) ??
    ((await installPostgresPackage()) ? await ownProcess() : undefined);
  if (server !== undefined) return server;
  throw new Error(
    'No PostgreSQL for the tests: put postgres and initdb on the PATH, start a Docker engine, ' +
      'or set TEST_PG_URI=postgres://user@host:port/database',
  );
}

/** It is not ours to stop, but what the run has left there is. */
function fromEnvironment(run: string): FoundServer | undefined {
  const uri = process.env['TEST_PG_URI'];
  if (uri === undefined || uri === '') return undefined;
  return { uri, origin: 'TEST_PG_URI', stop: () => dropSchemas(uri, run) };
}

async function ownProcess(): Promise<FoundServer | undefined> {
  const programs = await findPostgresPrograms();
  if (programs === undefined) return undefined;
  const template = await makeTemplate();
  const server = await PostgresServer.start();
  const release = guardAgainstOrphan(server.pid, template);
  const stop = async (): Promise<void> => {
    release();
    await Promise.all([server.stop(), removeTemplate(template)]);
  };
  return { uri: server.uri, origin: `${programs} at ${server.uri}`, stop };
}
