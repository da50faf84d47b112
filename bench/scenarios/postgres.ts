import { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { besideMemory } from '../embedded/speed.ts';
import { benchEndedJobs } from '../postgres/ended-jobs.ts';
import { benchWaits } from '../postgres/waits.ts';
import type { Result } from '../report.ts';

/**
 * STORE=postgres on a server of its own that syncs what it commits: beside STORE=memory of the same build, beside an
 * idle transaction, and behind many jobs that have ended.
 */
export async function benchPostgres(
  rounds: number,
  { jobs = 1_000_000 }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await PostgresServer.start({ fsync: 'on', synchronous_commit: 'on' });
  try {
    return [
      ...(await besideMemory('STORE=postgres', { STORE_URI: server.uri }, rounds)),
      await benchWaits(server, rounds),
      await benchEndedJobs(server, rounds, jobs),
    ];
  } finally {
    await server.stop();
  }
}
