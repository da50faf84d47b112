import type { Piece, StagedArguments } from './staged-arguments.ts';
import type { PlacedJob } from './placed-job.ts';

/** The names that the jobs get as they become visible. */
export interface StagedNames {
  /** The keys of jobs whose ids a client gave. */
  readonly given: Piece;
  /** These with the keys of the children that such jobs wait for, and the name of each until then. */
  readonly renamed: { readonly from: Piece; readonly to: Piece };
}

/** The keys of deduplication ids, the jobs that hold them, and for how many milliseconds: for each, or for all. */
export interface Holders {
  readonly keys: Piece;
  readonly ids: Piece;
  readonly ttl: string;
  readonly ttls?: Piece;
}

export function stagedNames(placed: readonly PlacedJob[], args: StagedArguments): StagedNames {
  const given = placed.filter(({ isGiven }) => isGiven);
  const parents = given.filter(({ job }) => job.isParent);
  const namesOf = (name: 'key' | 'hash'): Piece =>
    args.place([
      ...given.map((job) => job[name]),
      ...parents.map((job) => `${job[name]}:dependencies`),
    ]);
  const renamed = { from: namesOf('hash'), to: namesOf('key') };
  const [first] = renamed.to;
  return { given: [first, first + given.length - 1], renamed };
}

/** @param ids where those of all jobs are. */
export function holdersOf(
  placed: readonly PlacedJob[],
  ids: Piece,
  args: StagedArguments,
): Holders {
  const holders = placed.filter(({ holder }) => holder !== undefined);
  const ttls = holders.map(({ holder }) => holder?.ttl ?? '');
  const [ttl = ''] = ttls;
  return {
    keys: args.place(holders.map(({ holder }) => holder?.key ?? '')),
    ids: holders.length === placed.length ? ids : args.place(holders.map(({ id }) => id)),
    ttl,
    ...(ttls.some((each) => each !== ttl) && { ttls: args.place(ttls) }),
  };
}

/** Whether the jobs have different ids and different deduplication ids, so that none stands for another of them. */
export function areDistinct(placed: readonly PlacedJob[]): boolean {
  const given = placed.filter(({ isGiven }) => isGiven).map(({ key }) => key);
  const held = placed.flatMap(({ holder }) => holder?.key ?? []);
  return new Set(given).size === given.length && new Set(held).size === held.length;
}
