import type { FlowChild, Job } from './api.ts';
import { Deferred, reportOnAll } from './deferred.ts';
import type { Reporter } from './reporter.ts';
import type { Steps } from './steps.ts';

/** The outcomes of the jobs that a job waited for. */
export type Children = readonly FlowChild[];

/** The context of a handler of batches: facts about the attempt, and functions to report on its jobs. */
export interface BatchContext {
  readonly queue: string;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Epoch ms at which the attempt ends, null when unlimited. */
  readonly deadline: number | null;
  /** Aborts at the deadline, on a cancellation, and when the lock is lost. */
  readonly signal: AbortSignal;
  /** Sends at most four values a second, and always the last one. */
  progress(value: unknown): Promise<void>;
  log(text: string): Promise<void>;
  /** Sets what the start of each attempt counts in limiters, once it ends: 0 to 1,000,000. */
  cost(cost: number): void;
  children(): Promise<Children>;
  /** Lets the job, or the whole batch, be completed later; what the handler then returns is ignored. */
  defer(options?: { readonly deadline?: number }): Deferred;
}

/** The context of a handler: facts about its attempt, and functions to report on it. */
export interface Context extends BatchContext {
  /** What the job did in earlier calls, and waits. */
  readonly steps: Steps;
}

/** A call without an envelope contains only the `id`, `name` and `data` of its job. */
export type Handler = (job: Job, context: Context) => unknown;

export interface Handlers {
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Handles all other names. */
  readonly otherwise?: Handler | undefined;
}

/** The facts about one attempt, which webhook and pull workers obtain in different ways. */
export interface Attempt {
  readonly queue: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly deadline: number | null;
  readonly signal: AbortSignal;
  /** One per job; several in a batch. */
  readonly reporters: readonly Reporter[];
  readonly children: () => Promise<Children>;
  readonly defer: (deadline: number | undefined) => void;
}

export function createContext({ reporters, defer, ...facts }: Attempt): BatchContext {
  return {
    ...facts,
    progress: (value) => quiet(reportOnAll(reporters, (reporter) => reporter.progress(value))),
    log: (text) => quiet(reportOnAll(reporters, (reporter) => reporter.log(text))),
    cost: (cost) => {
      for (const reporter of reporters) reporter.cost = cost;
    },
    defer: (options) => {
      const deferred = new Deferred(reporters);
      defer(options?.deadline);
      return deferred;
    },
  };
}

/** The handler of a job. @throws Error when none handles its name. */
export function handlerOf({ handlers, otherwise }: Handlers, name: string): Handler {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : otherwise;
  if (handler === undefined) throw new Error(`No handler for ${name}`);
  return handler;
}

/** A report whose rejection does not end the process if the handler does not await it. */
export function quiet(reports: Promise<unknown>): Promise<void> {
  const sent = reports.then(() => undefined);
  sent.catch(() => undefined);
  return sent;
}
