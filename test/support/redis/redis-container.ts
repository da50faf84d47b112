import { foundContainer } from '../found-container.ts';
import type { FoundServer } from '../server-session.ts';

const DEFAULT_IMAGE = 'redis:7.4.6-alpine';

/** A container of TEST_STORE_IMAGE without persistence, where one can be started. */
export function startRedisContainer(): Promise<FoundServer | undefined> {
  return foundContainer({
    image: process.env['TEST_STORE_IMAGE'] ?? DEFAULT_IMAGE,
    port: 6379,
    ready: /Ready to accept connections/,
    configured: (container) =>
      container.withCommand(['redis-server', '--save', '', '--appendonly', 'no']),
    uriAt: (address) => `redis://${address}`,
  });
}
