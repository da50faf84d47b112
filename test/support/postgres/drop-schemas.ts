import { testDatabase } from './test-database.ts';

/** Removes all schemas whose names begin so. */
export async function dropSchemas(uri: string, start: string): Promise<void> {
  const database = testDatabase(uri);
  try {
    const found = await database.query<{ nspname: string }>(
      'SELECT nspname FROM pg_namespace WHERE starts_with(nspname, $1)',
      [start],
    );
    for (const { nspname } of found) await database.query(`DROP SCHEMA "${nspname}" CASCADE`);
  } finally {
    await database.close();
  }
}
