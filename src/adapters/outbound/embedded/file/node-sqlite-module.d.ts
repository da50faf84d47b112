/** The part of `node:sqlite` (Node.js 22.13 and later) that jobgate uses: the types of the oldest supported version lack it. */
declare module 'node:sqlite' {
  type Value = string | number | Uint8Array | null;

  export interface NativeStatement {
    run(...values: readonly Value[]): unknown;
    all(...values: readonly Value[]): Record<string, unknown>[];
    iterate(...values: readonly Value[]): Iterator<Record<string, unknown>, undefined>;
  }

  export interface NativeDatabase {
    exec(sql: string): void;
    prepare(sql: string): NativeStatement;
    function(name: string, call: (one: number, other: number) => number): void;
    close(): void;
  }

  export interface NodeSqlite {
    readonly DatabaseSync: new (path: string) => NativeDatabase;
  }
}
