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

/** What commands do with the files of an embedded store whose service is stopped. Errors are for the operator. */
export interface StoreFiles {
  check(folder: string): Promise<StoreCheck>;

  /** Makes a folder of a backup. @returns how many records it has. */
  restore(file: string, folder: string): Promise<number>;

  /** Writes what can be read to a new file. */
  recover(folder: string, file: string): Promise<StoreRecovery>;
}
