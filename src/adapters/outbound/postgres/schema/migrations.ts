import { createHash } from 'node:crypto';
import { sqlFiles } from './sql-files.ts';

/** A step from one version of the schema to the next. A released one never changes. */
export interface Migration {
  /** The version that it makes, from 1. */
  readonly number: number;
  readonly name: string;
  /** Its statements, with `{schema}` for the quoted name of the schema. */
  readonly sql: string;
}

/** All migrations that this version of jobgate knows, in order: the files `<number>-<name>.sql`. */
export function knownMigrations(
  files: Readonly<Record<string, string>> = sqlFiles(),
): readonly Migration[] {
  const all = Object.entries(files).map(([file, sql]) => migrationOf(file, sql));
  return all.toSorted((one, other) => one.number - other.number);
}

function migrationOf(file: string, sql: string): Migration {
  const [, number, name] = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
  if (number === undefined || name === undefined) {
    throw new TypeError(`${file} is not named as a migration: 0001-name.sql`);
  }
  return { number: Number(number), name, sql };
}

/** Tells the file from another one with the same number. */
export function checksum({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** What is there before a migration. */
export interface SchemaState {
  readonly exists: boolean;
  /** 0 before the first migration. */
  readonly version: number;
}

/**
 * The statements that bring the schema from the version before to that of a migration, and note it. Run in one
 * transaction.
 */
export function scriptOf(migration: Migration, schema: string, state: SchemaState): string {
  const { number, name, sql } = migration;
  const quoted = `"${schema}"`;
  const table = `CREATE TABLE ${quoted}.migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);`;
  return [
    ...(state.exists ? [] : [`CREATE SCHEMA ${quoted};`]),
    ...(state.version > 0 ? [] : [table]),
    sql.replaceAll('{schema}', quoted).trim(),
    `INSERT INTO ${quoted}.migrations (number, name, checksum)
VALUES (${number}, '${name}', '${checksum(migration)}');`,
  ].join('\n\n');
}
