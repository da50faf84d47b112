import { DatabaseError, type Database, type Session } from '../driver/database.ts';
import { knownMigrations, scriptOf, type Migration, type SchemaState } from './migrations.ts';
import { refusedByRights } from './schema-rights.ts';
import { readSchemaState } from './schema-state.ts';

/** The SQLSTATEs of what exists: a schema, a table, a row of the catalog. */
const MADE = ['42P06', '42P07', '23505'];

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
      const migration = await applyNext(session, schema, known, state);
      if (migration !== undefined) applied.push(migration);
      state = await readSchemaState(session, schema, known);
    }
    return applied;
  });
}

/** Applies one migration, unless another process has applied it meanwhile. @param found before the transaction. */
async function applyNext(
  session: Session,
  schema: string,
  known: readonly Migration[],
  found: SchemaState,
): Promise<Migration | undefined> {
  await session.query('BEGIN');
  const next = known[found.version];
  // Held until the end of the transaction: a pooler may give each transaction another connection. An advisory lock could be
  // taken by any role. Before the first migration there is no table to lock.
  const lock = `LOCK TABLE "${schema}".migrations IN SHARE ROW EXCLUSIVE MODE`;
  if (next !== undefined && found.version > 0) await run(session, schema, next, lock);
  const { version } = await readSchemaState(session, schema, known);
  if (next === undefined || version !== found.version) {
    await session.query('ROLLBACK');
    return undefined;
  }
  try {
    await run(session, schema, next, scriptOf(next, schema, found));
  } catch (error) {
    const isMade = error instanceof DatabaseError && MADE.includes(error.state ?? '');
    if (!isMade || found.version > 0) throw error;
    // Another process made the schema meanwhile, or there is something else of that name.
    const { exists, version: made } = await readSchemaState(session, schema, known);
    if (exists === found.exists && made === 0) throw error;
    return undefined;
  }
  await session.query('COMMIT');
  return next;
}

async function run(
  session: Session,
  schema: string,
  migration: Migration,
  script: string,
): Promise<void> {
  try {
    await session.script(script);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await session.query('ROLLBACK');
    throw await refusedByRights(session, schema, migration, error);
  }
}
