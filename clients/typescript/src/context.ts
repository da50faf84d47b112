import { Deferred } from './deferred.ts';
import type { Reporter } from './reporter.ts';
import type { Job } from './types.ts';

/** What a handler knows of its job beside the job, and does about it. */
export interface Context {
  readonly queue: string;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Epoch ms at which the attempt ends, null when nothing bounds it. */
  readonly deadline: number | null;
  /** Aborts at the deadline, on cancel, and when the lock is lost. */
  readonly signal: AbortSignal;
  /** Sends at most four values a second, the last one always. */
  progress(value: unknown): Promise<void>;
  log(text: string): Promise<void>;
  children(): Promise<readonly Record<string, unknown>[]>;
  /** Lets the job be completed later; what the handler returns after that is ignored. */
  defer(options?: { readonly deadline?: number }): Deferred;
}

export type Handler = (job: Job, context: Context) => unknown;

export interface Handlers {
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Handles all other names. */
  readonly otherwise?: Handler;
}

/** The facts of one attempt that webhook and pull workers learn in different ways. */
export interface Attempt {
  readonly queue: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly deadline: number | null;
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
  /** The children that came with the job, undefined where the service must be asked. */
  readonly children?: readonly Record<string, unknown>[] | undefined;
  readonly defer: (deferred: Deferred, deadline: number | undefined) => void;
}

export function createContext(attempt: Attempt): Context {
  const { reporter, children, queue, maxAttempts, deadline, signal } = attempt;
  return {
    queue,
    attempt: attempt.attempt,
    maxAttempts,
    deadline,
    signal,
    progress: (value) => quiet(reporter.progress(value)),
    log: (text) => quiet(reporter.log(text)),
    children: async () => {
      // The call holds as many children as fit; the service has all of them.
      if (children !== undefined && (children.length === 0 || !reporter.hasAddress))
        return children;
      return (await reporter.send('GET', 'children')) as Record<string, unknown>[];
    },
    defer: (options) => {
      const deferred = new Deferred(reporter.address, reporter);
      attempt.defer(deferred, options?.deadline);
      return deferred;
    },
  };
}

/** The handler of a job. @throws Error when there is none for its name. */
export function handlerOf({ handlers, otherwise }: Handlers, name: string): Handler {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : otherwise;
  if (handler === undefined) throw new Error(`No handler for ${name}`);
  return handler;
}

/** A rejection that the handler does not await ends no process. */
function quiet(sent: Promise<void>): Promise<void> {
  sent.catch(() => undefined);
  return sent;
}
