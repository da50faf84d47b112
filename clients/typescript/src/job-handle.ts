import type {
  BlockedJob,
  CancellationInput,
  FlowChild,
  Job,
  JobAttempts,
  JobChangeInput,
  JobLogs,
  JobSteps,
  RetryInput,
} from './api.ts';
import type { ChildrenOptions, LogsOptions } from './options.ts';
import type { Queue } from './queue.ts';
import { at, Routes } from './routes.ts';
import type { CallOptions, Transport } from './transport.ts';

/** One job of a queue. */
export class JobHandle extends Routes {
  readonly id: string;
  readonly #queue: Queue;

  constructor(transport: Transport, queue: Queue, id: string) {
    super(transport, `/queues${at(queue.name)}/jobs${at(id)}`);
    this.id = id;
    this.#queue = queue;
  }

  get(options?: CallOptions) {
    return this.read<Job>('', options);
  }

  /** Like `result` of the queue. */
  result(options?: CallOptions) {
    return this.#queue.result(this.id, options);
  }

  retry(options?: CallOptions & RetryInput) {
    return this.send('/retry', options);
  }

  promote(options?: CallOptions) {
    return this.send('/promote', options);
  }

  change(changes: CallOptions & JobChangeInput) {
    return this.send<Job>('', changes, 'PATCH');
  }

  /** With `children`, those that it waits for too. */
  cancel(options?: CallOptions & CancellationInput) {
    return this.send('/cancel', options);
  }

  remove(options?: CallOptions) {
    return this.delete('', options);
  }

  attempts(options?: CallOptions) {
    return this.read<JobAttempts>('/attempts', options);
  }

  logs(options?: LogsOptions) {
    return this.read<JobLogs>('/logs', options);
  }

  /** The saved steps, by time. */
  steps(options?: CallOptions) {
    return this.read<JobSteps>('/steps', options);
  }

  /** Removes a saved step, which the next call of the job does anew. */
  removeStep(name: string, options?: CallOptions) {
    return this.delete(`/steps${at(name)}`, options);
  }

  removeSteps(options?: CallOptions) {
    return this.delete('/steps', options);
  }

  /** Why the job does not start. */
  blocked(options?: CallOptions) {
    return this.read<BlockedJob>('/blocked', options);
  }

  children(options?: ChildrenOptions) {
    return this.read<readonly FlowChild[]>('/children', options);
  }
}
