import { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { besideMemory } from '../embedded/speed.ts';
import type { Result } from '../report.ts';

/** STORE=postgres beside STORE=memory of the same build, on a server of its own that syncs what it commits. */
export async function benchPostgres(rounds: number): Promise<readonly Result[]> {
  const server = await PostgresServer.start({ fsync: 'on', synchronous_commit: 'on' });
  try {
    return await besideMemory('STORE=postgres', { STORE_URI: server.uri }, rounds);
  } finally {
    await server.stop();
  }
}
