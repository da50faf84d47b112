import { foundContainer } from '../found-container.ts';
import type { FoundServer } from '../server-session.ts';

const DEFAULT_IMAGE = 'postgres:17.6-alpine';

/** A container of TEST_PG_IMAGE, where one can be started. */
export function startPostgresContainer(): Promise<FoundServer | undefined> {
  return foundContainer({
    image: process.env['TEST_PG_IMAGE'] ?? DEFAULT_IMAGE,
    port: 5432,
    ready: /ready to accept connections/,
    // The image starts the server once to set it up, and once more to serve.
    starts: 2,
    configured: (container) =>
      container
        .withEnvironment({ POSTGRES_HOST_AUTH_METHOD: 'trust' })
        .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300']),
    uriAt: (address) => `postgres://postgres@${address}/postgres`,
  });
}
