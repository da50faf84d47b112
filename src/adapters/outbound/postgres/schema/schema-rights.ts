import type { DatabaseError, Session } from '../driver/database.ts';
import type { Migration } from './migrations.ts';
import { SchemaRefusedError } from './schema-refused-error.ts';

/** The SQLSTATE `insufficient_privilege`. */
export const FORBIDDEN = '42501';

interface Rights {
  readonly role: string;
  readonly database: string;
  readonly hasSchema: boolean;
  readonly mayCreateSchema: boolean;
  readonly mayCreateTables: boolean | null;
}

/** Why a migration failed: the right that the role lacks, if that is the cause, else the error itself. */
export async function refusedByRights(
  session: Session,
  schema: string,
  { number, name }: Migration,
  error: DatabaseError,
): Promise<Error> {
  if (error.state !== FORBIDDEN) return error;
  const [rights] = await session.query<{ [Name in keyof Rights]: Rights[Name] }>(
    `SELECT current_user AS role, current_database() AS database, n.oid IS NOT NULL AS "hasSchema",
       has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchema",
       has_schema_privilege(n.oid, 'CREATE') AS "mayCreateTables"
     FROM (SELECT) AS one LEFT JOIN pg_namespace n ON n.nspname = $1`,
    [schema],
  );
  const needs = `STORE_SCHEMA ${schema} needs migration ${number} (${name})`;
  const way = '"jobgate store migrate" with a STORE_URI of a role that may';
  return new SchemaRefusedError(
    `${needs}, which the role ${rights?.role ?? ''} may not apply: ${error.message}. Run ` +
      `${missingGrant(schema, rights)}, or ${way}`,
  );
}

function missingGrant(schema: string, rights: Rights | undefined): string {
  const { role = '', database = '', hasSchema = false, mayCreateTables = false } = { ...rights };
  if (!hasSchema) return `GRANT CREATE ON DATABASE "${database}" TO "${role}"`;
  if (mayCreateTables !== true) return `GRANT USAGE, CREATE ON SCHEMA "${schema}" TO "${role}"`;
  return `GRANT of the role that owns the tables TO "${role}"`;
}
