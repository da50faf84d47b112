import { DatabaseError, type Session } from '../driver/database.ts';
import { checksum, type Migration, type SchemaState } from './migrations.ts';
import { SchemaRefusedError } from './schema-refused-error.ts';
import { FORBIDDEN } from './schema-rights.ts';

/** The oldest PostgreSQL that works, as the server numbers it. */
export const OLDEST_SERVER = 140_000;

/** The SQLSTATE `undefined_column`. */
const NO_COLUMN = '42703';

/**
 * Which version a schema is of.
 *
 * @throws SchemaRefusedError when this version of jobgate cannot use it, or not this server.
 */
export async function readSchemaState(
  session: Session,
  schema: string,
  known: readonly Migration[],
): Promise<SchemaState> {
  // The catalog, since names in a schema that the role may not use are errors.
  const [server] = await session.query<{
    number: number;
    version: string;
    exists: boolean;
    isMigrated: boolean;
  }>(
    `SELECT current_setting('server_version_num')::integer AS number,
       current_setting('server_version') AS version,
       EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS "exists",
       EXISTS (
         SELECT FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
         WHERE nspname = $1 AND relname = 'migrations'
       ) AS "isMigrated"`,
    [schema],
  );
  if (server === undefined) throw new TypeError('A SELECT without FROM has one row');
  if (server.number < OLDEST_SERVER) {
    throw new SchemaRefusedError(
      `STORE_URI leads to PostgreSQL ${server.version}, and jobgate needs ${OLDEST_SERVER / 10_000} or later`,
    );
  }
  const applied = server.isMigrated ? await readApplied(session, schema) : [];
  refuseOthers(schema, applied, known);
  return { exists: server.exists, version: versionOf(applied) };
}

interface Applied {
  readonly number: number;
  readonly checksum: string;
}

async function readApplied(session: Session, schema: string): Promise<readonly Applied[]> {
  try {
    return await session.query<{ number: number; checksum: string }>(
      `SELECT number, checksum FROM "${schema}".migrations ORDER BY number`,
    );
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (error.state === NO_COLUMN) {
      throw new SchemaRefusedError(
        `STORE_SCHEMA ${schema} has a table "migrations" of another program: choose another schema`,
      );
    }
    if (error.state !== FORBIDDEN) throw error;
    throw new SchemaRefusedError(
      `STORE_SCHEMA ${schema} is not readable for the role of STORE_URI: ${error.message}; ` +
        'docs/postgresql.md lists the rights that it needs',
    );
  }
}

function versionOf(applied: readonly Applied[]): number {
  return applied.at(-1)?.number ?? 0;
}

function refuseOthers(
  schema: string,
  applied: readonly Applied[],
  known: readonly Migration[],
): void {
  const version = versionOf(applied);
  if (version > known.length) {
    throw new SchemaRefusedError(
      `STORE_SCHEMA ${schema} is of version ${version}, and this jobgate knows versions up to ${known.length}: ` +
        'start the jobgate that made it, or a later one',
    );
  }
  const other = known.find((migration, index) => {
    const found = applied[index];
    return found !== undefined && found.checksum !== checksum(migration);
  });
  if (other !== undefined) {
    throw new SchemaRefusedError(
      `STORE_SCHEMA ${schema} was made by another migration ${other.number} than that of this jobgate, ` +
        `${other.name}: start the jobgate that made it, or choose another schema`,
    );
  }
}
