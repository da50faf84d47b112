import type { ScriptArgument } from '../connection/scripts.ts';

/** What the run that adds staged jobs has to know of one: empty where it has none. */
export interface StagedJob {
  /** The number of its queue, beginning with 1. */
  readonly queue: string;
  /** Where it goes: `delay:priority:lifo:ttl:isParent`. */
  readonly terms: string;
  readonly name: string;
  /** Empty for the next number. */
  readonly id: string;
  readonly group: string;
  /** Its place among the waiting jobs of its group. */
  readonly order: string;
  /** The position of its parent, beginning with 1. */
  readonly parent: string;
  /** As JSON. */
  readonly deduplication: string;
  /** "1" if the client gave the id. */
  readonly isGiven: string;
}

const COLUMNS = [
  'queue',
  'terms',
  'id',
  'group',
  'order',
  'parent',
  'deduplication',
  'isGiven',
] as const satisfies readonly (keyof StagedJob)[];

/** The jobs as arguments of a script: first what the arguments of a job are, as JSON, then those of each job. */
export function stagedColumns(jobs: readonly StagedJob[], isFlow: boolean): ScriptArgument[] {
  const [first] = jobs;
  const differing = COLUMNS.filter((name) => jobs.some((job) => job[name] !== first?.[name]));
  // Each job has an argument at least: the patience with a command grows with their number.
  const columns = ['name', ...differing] as const;
  const header = {
    isFlow,
    isDeduplicating: jobs.some(({ deduplication }) => deduplication !== ''),
    each: columns.length,
    at: Object.fromEntries(columns.map((name, index) => [name, index])),
    all: first,
  };
  const args: ScriptArgument[] = [JSON.stringify(header)];
  for (const job of jobs) for (const name of columns) args.push(job[name]);
  return args;
}
