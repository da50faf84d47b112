/** What is in the folder of a stopped embedded store. */
export interface StoreCheck {
  /** How many records of each kind can be read. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly records: number;
  /** The sum of their checksums. */
  readonly sum: number;
  /** Each damaged place; empty when the store is intact. */
  readonly damage: readonly string[];
}

export interface StoreRecovery {
  readonly records: number;
  /** The places that could not be read. */
  readonly damage: readonly string[];
}

/** The environment of the process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A step from one version of the schema in PostgreSQL to the next. */
export interface SchemaMigration {
  readonly number: number;
  readonly name: string;
}

/** What commands do with stores without a service. Errors are for the operator. */
export interface Stores {
  /** Reads all files of a stopped embedded store. */
  check(folder: string): Promise<StoreCheck>;

  /** Makes a folder of a backup of the embedded store. @returns how many records it has. */
  restore(file: string, folder: string): Promise<number>;

  /** Writes what can be read of a stopped embedded store to a new file. */
  recover(folder: string, file: string): Promise<StoreRecovery>;

  /** The migrations that the schema lacks to which the variables lead, each with its statements. */
  dueMigrations(
    variables: Variables,
  ): Promise<readonly (SchemaMigration & { readonly sql: string })[]>;

  /** Applies them. @returns those that it applied. */
  migrate(variables: Variables): Promise<readonly SchemaMigration[]>;
}
