import type { ScriptArgument } from '../connection/scripts.ts';

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

const COLUMNS = [
  'queue',
  'name',
  'priority',
  'lifo',
  'isParent',
  'expires',
  'due',
  'score',
  'group',
  'member',
  'deduplicationId',
  'deduplication',
  'given',
] as const satisfies readonly (keyof StagedJob)[];

/** The jobs as arguments of a script: first what the arguments of a job are, as JSON, then those of each job. */
export function stagedColumns(
  jobs: readonly StagedJob[],
  facts: Readonly<Record<string, unknown>>,
): ScriptArgument[] {
  const [first] = jobs;
  const differing = COLUMNS.filter((name) => jobs.some((job) => job[name] !== first?.[name]));
  // Each job has an argument at least: the patience with a command grows with their number.
  const columns = ['id', ...differing] as const;
  const header = {
    ...facts,
    each: columns.length,
    at: Object.fromEntries(columns.map((name, index) => [name, index])),
    all: first,
  };
  const args: ScriptArgument[] = [JSON.stringify(header)];
  for (const job of jobs) for (const name of columns) args.push(job[name]);
  return args;
}
