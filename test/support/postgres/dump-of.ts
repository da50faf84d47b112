import { eventually } from '../eventually.ts';
import { testDatabase } from './test-database.ts';

/** All rows of a schema as text, once the rounds that stay for a minute are gone. */
export async function dumpOf(uri: string, schema: string): Promise<Buffer> {
  const database = testDatabase(uri);
  try {
    await database.query(`UPDATE "${schema}".log SET written = written - interval '1 hour'`);
    await eventually('the removal of old rounds', async () => {
      const rows = await database.query(
        `SELECT FROM "${schema}".log WHERE round < (SELECT max(round) FROM "${schema}".log)`,
      );
      return rows.length === 0;
    });
    const tables = await database.query<{ readonly name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
      [schema],
    );
    const dumped = tables.map(async ({ name }) => {
      const rows = await database.query<{ readonly row: string }>(
        `SELECT t::text AS row FROM "${schema}"."${name}" t`,
      );
      return rows.map(({ row }) => row).join('\n');
    });
    return Buffer.from((await Promise.all(dumped)).join('\n'));
  } finally {
    await database.close();
  }
}
