/** A script that the store runs as one step. Its name is unique on a connection. */
export interface Script {
  readonly name: string;
  readonly lua: string;
  readonly numberOfKeys: number;
}
