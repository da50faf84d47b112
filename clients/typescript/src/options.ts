import type {
  ChildrenQuery,
  FailuresQuery,
  FiguresQuery,
  Job,
  JobsQuery,
  EndedJob,
  LogsQuery,
  QueuesQuery,
  RecentFailuresQuery,
  SchedulersQuery,
  SearchQuery,
  SignalsQuery,
  WorkersQuery,
} from './api.ts';
import type { Duration } from './durations.ts';
import type { CallOptions } from './transport.ts';

export type ChildrenOptions = CallOptions & ChildrenQuery;
export type FailuresOptions = CallOptions & FailuresQuery;
export type FiguresOptions = CallOptions & FiguresQuery;
export type JobsOptions = CallOptions & JobsQuery;
export type LogsOptions = CallOptions & LogsQuery;
export type QueuesOptions = CallOptions & QueuesQuery;
export type RecentFailuresOptions = CallOptions & RecentFailuresQuery;
export type SchedulersOptions = CallOptions & SchedulersQuery;
export type SearchOptions = CallOptions & SearchQuery;
export type SignalsOptions = CallOptions & SignalsQuery;
export type WorkersOptions = CallOptions & WorkersQuery;

export interface AddOptions extends CallOptions {
  /** Adds with the same key take effect only once. Random by default. */
  readonly idempotencyKey?: string | undefined;
}

export interface SignalOptions extends AddOptions {
  /** How long waits that begin later find the signal; not at all by default. */
  readonly keep?: Duration | undefined;
}

export interface PublishOptions extends AddOptions {
  /** Adds nothing: the answer is what would be added, without ids. */
  readonly dryRun?: boolean | undefined;
}

interface WithResult {
  /** Like `result` of the queue. */
  result(options?: CallOptions): Promise<EndedJob>;
}

/** A job as it was added, which can wait for its end. */
export type AddedJob = Job & WithResult;

/** A promise of an added job, which can also wait for the end of the job. */
export type Added = Promise<AddedJob> & WithResult;
