import { join } from 'node:path';
import { SpawnedServer } from '../spawned-server.ts';
import { serverUser } from './server-user.ts';

/** Settings of the server on its command line, such as `{ fsync: 'on' }`. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** Printed once its data are recovered and the port is open. */
const READY = 'ready to accept connections';

/**
 * Starts the server and waits until it accepts connections. When it is stopped, it ends all sessions first.
 *
 * @param programs the folder of the programs.
 * @param folder its data, which are removed with the process when the test run is cut short.
 * @throws Error with what the server printed when it ends instead.
 */
export function startPostgres(
  programs: string,
  folder: string,
  settings: PostgresSettings,
): Promise<SpawnedServer> {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return SpawnedServer.start({
    program: join(programs, 'postgres'),
    args: ['-D', folder, ...args],
    ready: READY,
    stopSignal: 'SIGINT',
    ownFolder: folder,
    cwd: folder,
    ...serverUser(),
  });
}
