import type { StagedArguments } from './staged-arguments.ts';

/** What the run that adds staged jobs has to know of one: empty where it has none. */
export interface StagedJob {
  /** The number of its queue, beginning with 1. */
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly priority: string;
  /** "1" if it goes ahead of others. */
  readonly lifo: string;
  /** "1" if it waits for children. */
  readonly isParent: string;
  /** By when it has to start. */
  readonly expires: string;
  /** When it is due if it is delayed, and its score among the delayed jobs. */
  readonly due: string;
  readonly score: string;
  readonly group: string;
  /** Among the waiting jobs of groups. */
  readonly member: string;
  /** The id, and the rest as JSON. */
  readonly deduplicationId: string;
  readonly deduplication: string;
  /** If the client gave the id: the position of the job, beginning with 1, which is part of its staged key. */
  readonly given: string;
}

/** What events say of jobs, and where they go: enough where each is new. */
const COLUMNS_OF_NEW = [
  'queue',
  'name',
  'isParent',
  'due',
  'group',
] as const satisfies readonly (keyof StagedJob)[];

const COLUMNS = [
  ...COLUMNS_OF_NEW,
  'priority',
  'lifo',
  'expires',
  'score',
  'member',
  'deduplicationId',
  'deduplication',
  'given',
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

/** @param areAllNew whether what is written to the keys of the queues comes in one piece beside the columns. */
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
