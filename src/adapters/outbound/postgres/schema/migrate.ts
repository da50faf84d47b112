import { DatabaseError, type Database, type Session } from '../driver/database.ts';
import { knownMigrations, scriptOf, type Migration, type SchemaState } from './migrations.ts';
import { refusedByRights } from './schema-rights.ts';
import { readSchemaState } from './schema-state.ts';

/** A migration that is due, with the statements that apply it, to be run in one transaction. */
export interface DueMigration {
  readonly migration: Migration;
  readonly script: string;
}

/**
 * The migrations that a schema lacks, in order. Changes nothing.
 *
 * @throws SchemaRefusedError when this version of jobgate cannot use the schema or the server.
 * @throws DatabaseError
 */
export async function dueMigrations(
  database: Database,
  schema: string,
  known = knownMigrations(),
): Promise<readonly DueMigration[]> {
  return database.session(async (session) => {
    const state = await readSchemaState(session, schema, known);
    const due = known.filter(({ number }) => number > state.version);
    return due.map((migration, index) => {
      const before = index === 0 ? state : { exists: true, version: migration.number - 1 };
      return { migration, script: scriptOf(migration, schema, before) };
    });
  });
}

/**
 * Brings a schema to the version of this jobgate, and makes it first when it is missing. Several processes may do so at
 * once. Without a missing migration, it needs no right but to read the schema.
 *
 * @returns the migrations that it applied.
 * @throws SchemaRefusedError when this version of jobgate cannot use the schema or the server, or when the role lacks a
 * right that a migration needs.
 * @throws DatabaseError
 */
export async function migrate(
  database: Database,
  schema: string,
  known = knownMigrations(),
): Promise<readonly Migration[]> {
  return database.session(async (session) => {
    const applied: Migration[] = [];
    let state = await readSchemaState(session, schema, known);
    while (state.version < known.length) {
      const migration = await applyNext(session, schema, known);
      if (migration === undefined) break;
      applied.push(migration);
      state = { exists: true, version: migration.number };
    }
    return applied;
  });
}

/** Applies one migration, unless another process has applied the last one meanwhile. */
async function applyNext(
  session: Session,
  schema: string,
  known: readonly Migration[],
): Promise<Migration | undefined> {
  await session.query('BEGIN');
  // Held until the end of the transaction: a pooler may give each transaction another connection.
  await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `jobgate migrations of ${schema}`,
  ]);
  const state = await readSchemaState(session, schema, known);
  const migration = known.find(({ number }) => number === state.version + 1);
  if (migration !== undefined) await run(session, schema, migration, state);
  await session.query('COMMIT');
  return migration;
}

async function run(
  session: Session,
  schema: string,
  migration: Migration,
  state: SchemaState,
): Promise<void> {
  try {
    await session.script(scriptOf(migration, schema, state));
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await session.query('ROLLBACK');
    throw await refusedByRights(session, schema, migration, error);
  }
}
