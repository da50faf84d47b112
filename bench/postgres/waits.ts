import type { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { local } from '../load.ts';
import { median } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { figures, noted, type Result } from '../report.ts';
import { RATE, waitsOf } from '../scenarios/latency.ts';
import { ServerProcess } from '../server-process.ts';
import { registerWorker } from '../service-calls.ts';
import { withConnection } from './with-connection.ts';

const QUEUE = 'waits';

/** How many rounds are measured alone, however long the transaction is open. */
const ALONE = 12;

/** Milliseconds from an add to its call, and how many times that may take beside an idle transaction. */
const MOST_WAIT = 25;
const MOST_TIMES = 3;

/**
 * From add to call at a steady rate: alone, and while a transaction of somebody else is open and does nothing. A round
 * takes five seconds.
 */
export async function benchWaits(server: PostgresServer, rounds: number): Promise<Result> {
  const endpoint = await ServerProcess.start(['--import', 'tsx', 'bench/arrival-endpoint.ts'], {});
  const url = `http://127.0.0.1:${endpoint.port}/`;
  const service = await ServerProcess.service({ STORE_URI: server.uri, STORE_SCHEMA: 'waits' });
  try {
    await registerWorker(local(service), { queue: QUEUE, url, concurrency: 100 });
    const measure = async (count: number): Promise<readonly (readonly number[])[]> => {
      const measured: (readonly number[])[] = [];
      for (let round = 0; round < count; round += 1) {
        measured.push(await waitsOf({ port: service.port, queue: QUEUE }, url));
      }
      return measured;
    };
    await waitsOf({ port: service.port, queue: QUEUE }, url);
    const alone = await measure(Math.min(rounds, ALONE));
    const idle = await whileIdle(server, () => measure(rounds));
    const at = (waits: readonly (readonly number[])[], share: number): readonly number[] =>
      waits.map((round) => percentile(round, share));
    const usual = median(at(alone, 99));
    const times = at(idle, 99).map((wait) => wait / usual);
    return noted(
      `an idle transaction is open for ${rounds * 5} s`,
      figures(`From add to call at ${RATE} jobs/s`, [
        { name: 'p50', values: at(alone, 50), unit: 'ms' },
        { name: 'p99', values: at(alone, 99), unit: 'ms', most: MOST_WAIT },
        { name: 'beside an idle transaction, p50', values: at(idle, 50), unit: 'ms' },
        { name: 'beside an idle transaction, p99', values: at(idle, 99), unit: 'ms' },
        { name: 'p99 against alone', values: times, unit: 'times', most: MOST_TIMES },
      ]),
    );
  } finally {
    await Promise.all([service.stop(), endpoint.stop()]);
  }
}

/** Keeps a snapshot of the tables open, as a forgotten session does. */
function whileIdle<Answer>(server: PostgresServer, work: () => Promise<Answer>): Promise<Answer> {
  return withConnection(
    server,
    (sql) =>
      sql.begin('ISOLATION LEVEL REPEATABLE READ', async (transaction) => {
        await transaction`SELECT count(*) FROM waits.log`;
        return work();
      }) as Promise<Answer>,
  );
}
