type Streaming = 'streams queue' | 'streams store';

/**
 * The effect of a method of a port on a store. It decides when a full store refuses the method, what the answer waits for,
 * and what a replica reads before it runs the method:
 *
 * - `adds` jobs to the queue that its first argument names, or something that jobs are made of.
 * - `enlarges` what is kept, `grows` the store otherwise, or `changes` something: stored with the answer.
 * - `enlarges later`, `notes`: a change that nobody waits for.
 * - `starts` jobs: the store decides by the answer whether that has to be stored before it.
 * - `reads job`, `reads queue`, `reads store`: shows what its first arguments name, only as it is stored.
 * - `streams queue`, `streams store`: the same piece by piece.
 * - `looks`: reads what nobody relies on to be stored.
 * - `local`: of this replica alone; `waits` for something to happen.
 */
export type Nature =
  | 'adds'
  | 'enlarges'
  | 'grows'
  | 'changes'
  | 'enlarges later'
  | 'notes'
  | 'starts'
  | 'reads job'
  | 'reads queue'
  | 'reads store'
  | Streaming
  | 'looks'
  | 'local'
  | 'waits';

interface MoreOf<Natural extends Nature> {
  readonly is: Natural;
  /** Runs its steps in pieces, each as a change of its own. */
  readonly inPieces?: true;
  /** Its duration depends on the amount of data, so it says nothing about the speed of the store. */
  readonly isLong?: true;
}

type Row<Natural extends Nature> = Natural | MoreOf<Natural>;

type RowOf<Method> = Method extends (...given: never[]) => AsyncIterable<unknown>
  ? Row<Streaming>
  : Row<Exclude<Nature, Streaming>>;

declare const port: unique symbol;

/** The natures of all methods of a port. */
export type Natures<Port> = { readonly [Name in keyof Port]: RowOf<Port[Name]> } & {
  /** Not there: it carries the type. */
  readonly [port]?: (port: Port) => void;
};

/** The port that the natures are those of. */
export type PortOf<Natured> = Natured extends {
  readonly [port]?: (port: infer Port) => void;
}
  ? Port
  : never;

/** A method of any port. */
export type Method = (...given: unknown[]) => unknown;

/** The port with another form of each method. @param map returns it; it receives the method, bound to the port. */
export function mapMethods<Port extends object>(
  port: Port,
  natures: Natures<Port>,
  map: (method: Method, nature: MoreOf<Nature>, name: keyof Port) => Method,
): Port {
  const methods = Object.entries<Row<Nature>>(natures).map(([key, row]) => {
    const name = key as keyof Port;
    const nature = typeof row === 'string' ? { is: row } : row;
    return [name, map((port[name] as Method).bind(port), nature, name)];
  });
  return Object.fromEntries(methods) as Port;
}
