import type { CallOptions } from './transport.ts';

/** Options of a job as the API spells them; the service checks them. */
export interface JobOptions {
  readonly attempts?: number;
  readonly delay?: number;
  readonly priority?: number;
  readonly jobId?: string;
  readonly backoff?: number | Readonly<Record<string, unknown>>;
  readonly timeout?: number;
  readonly ttl?: number;
  readonly [name: string]: unknown;
}

export interface NewJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts?: JobOptions;
}

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly opts?: JobOptions;
  readonly timestamp?: number;
  readonly attemptsMade?: number;
  readonly state?: string;
  readonly returnvalue?: unknown;
  readonly failedReason?: string;
  readonly [name: string]: unknown;
}

export interface JobResult {
  readonly state: string;
  readonly returnvalue?: unknown;
  readonly failedReason?: string;
}

export interface RepairBody {
  readonly filter?: {
    readonly ids?: readonly string[];
    readonly cause?: string;
    readonly name?: string;
    readonly reason?: string;
    readonly status?: number;
    readonly from?: number;
    readonly to?: number;
    readonly statuses?: readonly string[];
    readonly group?: string;
  };
  readonly all?: boolean;
  readonly olderThan?: number;
  readonly limit?: number;
  readonly dryRun?: boolean;
}

export interface RepairAnswer {
  readonly matched: number;
  readonly done: number;
  readonly remaining: number;
  readonly samples?: readonly unknown[];
}

/** What is asked for in the query of a read, as the API spells it. */
export interface Query extends CallOptions {
  readonly [name: string]: unknown;
}

/** What a node of a flow is added with. */
export interface FlowNode extends NewJob {
  readonly queue: string;
  readonly onChildFailure?: 'wait' | 'fail' | 'continue' | 'ignore';
  readonly children?: readonly FlowNode[];
}
