type Streaming = 'streams queue' | 'streams store';

/**
 * What a method of a port does in a store, from which follows when a full store refuses it, what its answer waits for,
 * and what a replica has to read before it runs:
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
  /** Takes as long as there is much of something, so that its time tells nothing about the store. */
  readonly isLong?: true;
}

type Row<Natural extends Nature> = Natural | MoreOf<Natural>;

type RowOf<Method> = Method extends (...given: never[]) => AsyncIterable<unknown>
  ? Row<Streaming>
  : Row<Exclude<Nature, Streaming>>;

/** The natures of all methods of a port. */
export type Natures<Port> = { readonly [Name in keyof Port]: RowOf<Port[Name]> };

/** The nature of each method of a port, with all that there is to know about it. */
export function naturesOf<Port>(
  natures: Natures<Port>,
): readonly (readonly [name: keyof Port & string, nature: MoreOf<Nature>])[] {
  return Object.entries<Row<Nature>>(natures).map(([name, row]) => [
    name as keyof Port & string,
    typeof row === 'string' ? { is: row } : row,
  ]);
}
