import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { local } from '../load.ts';
import { measure } from '../measure.ts';
import { startNoOpEndpoint } from '../no-op-endpoint.ts';
import { result, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { addJobs, jobCounts, registerWorker, removeWorker } from '../service-calls.ts';
import { withConnection } from './with-connection.ts';

const QUEUE = 'bench';
const ADDED = 10_000;
const BATCH = 100;
/** The share of the rate of an empty queue that is aimed for. */
const LEAST_RATIO = 0.95;

/** Adds and calls of a queue in which so many jobs have ended, beside those of a new one. */
export async function benchEndedJobs(
  server: PostgresServer,
  rounds: number,
  jobs: number,
): Promise<Result> {
  const endpoint = await startNoOpEndpoint();
  const start = (schema: string): Promise<ServerProcess> =>
    ServerProcess.service({ STORE_URI: server.uri, STORE_SCHEMA: schema });
  const [fresh, full] = [await start('fresh'), await start('ended')];
  const many = `${jobs.toLocaleString('en')} ended jobs`;
  try {
    await registerWorker(local(full), {
      queue: QUEUE,
      url: endpoint.url,
      concurrency: 4,
      batch: { size: BATCH },
    });
    for (let added = 0; added < jobs; added += ADDED) await workOff(full);
    await removeWorker(local(full), QUEUE);
    await folded(server);
    for (const service of [fresh, full]) {
      await registerWorker(local(service), { queue: QUEUE, url: endpoint.url, concurrency: 100 });
    }
    const contenders = [
      { name: 'a new queue', service: fresh, run: () => workOff(fresh) },
      { name: many, service: full, run: () => workOff(full) },
    ];
    return result('Jobs added and called', 'jobs/s', await measure(contenders, rounds), {
      [many]: LEAST_RATIO,
    });
  } finally {
    await Promise.all([fresh.stop(), full.stop()]);
    await endpoint.stop();
  }
}

/**
 * Resolves once the records of all rounds are in their table, and the server has done what it does after a load. That is
 * not what is measured.
 */
function folded(server: PostgresServer): Promise<void> {
  return withConnection(server, async (sql) => {
    for (;;) {
      const [row] = await sql<{ isFolded: boolean }[]>`
        SELECT (SELECT max(round) FROM ended.log) = (SELECT round FROM ended.folded) AS "isFolded"`;
      if (row?.isFolded === true) break;
      await sleep(1000);
    }
    await sql`VACUUM (ANALYZE) ended.records`;
    await sql`VACUUM (ANALYZE) ended.log`;
    await sql`CHECKPOINT`;
  });
}

/** Adds jobs, and resolves once all of the queue have ended. */
async function workOff(service: ServerProcess): Promise<number> {
  for (let added = 0; added < ADDED; added += 1000) await addJobs(local(service), QUEUE, 1000);
  for (;;) {
    const { waiting, active, failed } = await jobCounts(local(service), QUEUE);
    if (failed > 0) throw new Error('Jobs have failed');
    if (waiting + active === 0) return ADDED;
    await sleep(10);
  }
}
