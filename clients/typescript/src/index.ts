export { Jobgate } from './jobgate.ts';
export { createWorker, fail, ok } from './webhook-worker.ts';
export type {
  BatchJob,
  BatchOutcome,
  NodeRequest,
  NodeResponse,
  WebhookWorker,
  WorkerOptions,
} from './webhook-worker.ts';
export { Deferred } from './deferred.ts';
export { Fail, JobgateError, NotNow, Retry, VerificationError } from './errors.ts';
export type { Context, Handler, Handlers } from './context.ts';
export type { EventOptions, JobgateEvent } from './event-stream.ts';
export type { PullHandlers, PullOptions, PullWorker } from './pull-worker.ts';
export type { Added, AddOptions, JobHandle, Queue, SearchOptions } from './queue.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export type * from './types.ts';
