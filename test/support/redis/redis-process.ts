import { SpawnedServer } from '../spawned-server.ts';

/** Settings of the server on its command line, such as `{ maxmemory: '20mb' }`. */
export type RedisSettings = Readonly<Record<string, string>>;

/** Printed by Redis and Valkey once their data are loaded and the port is open. */
const READY = 'Ready to accept connections';

/**
 * Starts the program and waits until it accepts connections.
 *
 * @param ownFolder removed with the process when the test run is cut short.
 * @throws Error with what the server printed when it ends instead.
 */
export function startRedis(
  binary: string,
  settings: RedisSettings,
  ownFolder: string | undefined,
): Promise<SpawnedServer> {
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return SpawnedServer.start({
    program: binary,
    args,
    ready: READY,
    stopSignal: 'SIGTERM',
    ownFolder,
  });
}
