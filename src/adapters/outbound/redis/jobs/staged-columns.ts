import type { Piece, StagedArguments } from './staged-arguments.ts';

/** What the run that adds staged jobs has to know of one: empty where it has none. */
export interface StagedJob {
  /** The number of its queue, beginning with 1. */
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  /** "1" if it waits for children. */
  readonly isParent: string;
  /** When it is due if it is delayed. */
  readonly due: string;
  readonly group: string;
  /** "1" if the client gave the id. */
  readonly given: string;
  /** What its start counts; empty for the usual cost. */
  readonly cost: string;
  /** The id, and the rest as JSON. */
  readonly deduplicationId: string;
  readonly deduplication: string;
  /** The numbers of the commands that bring it to its place, and note by when it has to start. */
  readonly write: string;
  readonly expiry: string;
}

/** What is known of the jobs of one queue before they become visible. */
export interface StagedFacts {
  readonly jobs: number;
  /** How many would wait. */
  readonly toWait: number;
  readonly hasGroups: boolean;
  /** Whether the start of one counts other than 1. */
  readonly hasCosts: boolean;
  /** The groups with waiting jobs, as fields of the hash of turns, in the order of their first such jobs. */
  readonly fields: Piece;
  /** Behind how many of these groups the first job without a group waits; undefined without one. */
  readonly ungroupedAfter: number | undefined;
}

/** What events say of jobs: enough where each is new. */
const COLUMNS_OF_NEW = [
  'queue',
  'name',
  'isParent',
  'due',
  'group',
] as const satisfies readonly (keyof StagedJob)[];

const COLUMNS = [
  ...COLUMNS_OF_NEW,
  'given',
  'deduplicationId',
  'deduplication',
  'write',
  'expiry',
] as const satisfies readonly (keyof StagedJob)[];

/** The header of the columns for the run. */
export interface StagedColumns {
  /** How many jobs. */
  readonly count: number;
  /** Of each column in which jobs differ, and of that of their ids, the first argument. */
  readonly at: Readonly<Record<string, number>>;
  /** What is the same for all jobs. */
  readonly all: StagedJob | undefined;
}

/** @param areAllNew whether none of the jobs stands for one that exists. */
export function stagedColumns(
  jobs: readonly StagedJob[],
  areAllNew: boolean,
  args: StagedArguments,
): StagedColumns {
  const [first] = jobs;
  const needed = areAllNew ? COLUMNS_OF_NEW : COLUMNS;
  const differing = needed.filter((name) => jobs.some((job) => job[name] !== first?.[name]));
  // The ids always: the patience with a command grows with the number of its arguments.
  const columns = ['id', ...differing] as const;
  const at = columns.map((name) => [name, args.place(jobs.map((job) => job[name]))[0]] as const);
  return { count: jobs.length, at: Object.fromEntries(at), all: first };
}

/** What is known of the jobs of one queue. */
export function stagedFacts(jobs: readonly StagedJob[], args: StagedArguments): StagedFacts {
  const groups = new Set<string>();
  let toWait = 0;
  let ungroupedAfter: number | undefined;
  for (const { group, due, isParent } of jobs) {
    if (due !== '' || isParent !== '') continue;
    toWait += 1;
    if (group === '') ungroupedAfter ??= groups.size;
    else groups.add(`g${group}`);
  }
  return {
    jobs: jobs.length,
    toWait,
    hasGroups: jobs.some(({ group }) => group !== ''),
    hasCosts: jobs.some(({ cost }) => cost !== ''),
    fields: args.place([...groups]),
    ungroupedAfter,
  };
}
