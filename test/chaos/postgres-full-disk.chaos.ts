import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { testDatabase } from '../support/postgres/test-database.ts';
import { PostgresScene } from './support/postgres/postgres-scene.ts';
import { Replicas } from './support/replicas.ts';
import { SmallDisk } from './support/small-disk.ts';

/** How often the disk becomes full. */
const FAULTS = Number(process.env['FAULTS'] ?? 3);

/** How long (ms) it stays full. */
const FULL = 4000;

const MEGABYTES = 400;

const SETTINGS = { fsync: 'on', max_wal_size: '64MB', min_wal_size: '32MB', wal_recycle: 'off' };

/** In *.chaos.ts, since only root may mount a disk. */
describe('replicas on PostgreSQL whose disk becomes full', function () {
  this.timeout(120_000 + FAULTS * 20_000);

  for (const [name, isWhole] of [
    ['of its tables', false],
    ['of all that the server writes, so that it crashes', true],
  ] as const) {
    it(`lose nothing and call nothing twice: the disk ${name}`, async () => {
      const disk = await SmallDisk.mount(MEGABYTES);
      const log = await mkdtemp(join(tmpdir(), 'jobgate-log-'));
      await chmod(log, 0o777);
      const places = { data: disk.path, ...(!isWhole && { log }) };
      const server = await PostgresServer.start(SETTINGS, places);
      const replicas = await Replicas.start(2, { STORE_URI: server.uri });
      const scene = await PostgresScene.begin(replicas);
      try {
        for (let fault = 0; fault < FAULTS; fault += 1) {
          await sleep(1500);
          await disk.fill();
          await sleep(FULL);
          await disk.empty();
          if (!(await answers(server))) await server.restart();
        }
        await scene.prove('no locks', { fillings: FAULTS });
      } finally {
        await scene.end();
        await replicas.kill();
        await server.stop();
        await disk.unmount();
        await rm(log, { recursive: true });
      }
    });
  }
});

async function answers(server: PostgresServer): Promise<boolean> {
  const database = testDatabase(server.uri);
  try {
    for (let tries = 0; tries < 10; tries += 1) {
      const isThere = await database.query('SELECT 1').then(
        () => true,
        () => false,
      );
      if (isThere) return true;
      await sleep(500);
    }
    return false;
  } finally {
    await database.close();
  }
}
